import { RpcServer } from '../../src/network'
import { EMPTY_STORAGE } from '../../src/protocol/locations'
import * as messages from '../../src/protocol/messages'
import { ControlMessageType } from '../../src/protocol/messages'
import { Endpoint } from '../../src/protocol/rpc-envelope'
import { StatusCode } from '../../src/protocol/status'

/** A LifecycleManager for the sink: every partition of every shuffle is there, and that is all it knows. */
export class SinkLifecycle {
  readonly #server = new RpcServer({ name: 'LifecycleManager of the sink' })

  constructor(sink: { readonly host: string; readonly port: number }) {
    this.#server.endpoint(Endpoint.LIFECYCLE_MANAGER, (type, payload) => {
      if (type === ControlMessageType.MAPPER_END) {
        return {
          type: ControlMessageType.MAPPER_END_RESPONSE,
          payload: messages.encodeMapperEndResponse({ status: StatusCode.SUCCESS }),
        }
      }
      if (type !== ControlMessageType.REGISTER_SHUFFLE) throw new Error(`message ${type} is not for the sink`)
      const { numPartitions } = messages.decodeRegisterShuffle(payload)
      const locations = Array.from({ length: numPartitions }, (_, id) => ({
        id,
        epoch: 0,
        mode: 0 as const,
        host: sink.host,
        pushPort: sink.port,
        rpcPort: sink.port,
        fetchPort: sink.port,
        replicatePort: sink.port,
        storage: EMPTY_STORAGE,
      }))
      return {
        type: ControlMessageType.REGISTER_SHUFFLE_RESPONSE,
        payload: messages.encodeRegisterShuffleResponse({ status: StatusCode.SUCCESS, locations }),
      }
    })
  }

  start(): Promise<{ host: string; port: number }> {
    return this.#server.listen()
  }

  stop(): Promise<void> {
    return this.#server.close()
  }
}
