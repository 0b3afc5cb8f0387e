import { RpcServer } from '../../src/network'
import { EMPTY_STORAGE, type PartitionLocation } from '../../src/protocol/locations'
import * as messages from '../../src/protocol/messages'
import { ControlMessageType } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'

/** Where a scripted location is: any object with a host and a push port. */
export interface Place {
  readonly host: string
  readonly port: number
}

export function locationAt(place: Place, id: number, epoch = 0): PartitionLocation {
  return {
    id,
    epoch,
    mode: 0,
    host: place.host,
    rpcPort: 1,
    pushPort: place.port,
    fetchPort: place.port,
    replicatePort: 1,
    storage: EMPTY_STORAGE,
  }
}

/** A LifecycleManager that does what a test says, over the real wire. */
export class ScriptedLifecycle {
  readonly revives: messages.Revive[] = []
  readonly mapperEnds: messages.MapperEnd[] = []
  registrations = 0
  /** Where partitions are placed at registration. */
  place: (partitionId: number) => Place
  /** Answers one partition's revive. By default: the same place with the next epoch. */
  onRevive: (
    partition: messages.RevivePartitionInfo,
    revive: messages.Revive,
  ) => messages.ChangeLocationPartitionInfo | Promise<messages.ChangeLocationPartitionInfo> = (
    partition,
  ) => ({
    partitionId: partition.partitionId,
    status: StatusCode.SUCCESS,
    location: locationAt(this.place(partition.partitionId), partition.partitionId, partition.epoch + 1),
    oldAvailable: true,
  })
  /** Answers a whole revive; by default one partition after the other, with {@link onRevive}. */
  onChangeLocation: (revive: messages.Revive) => Promise<messages.ChangeLocationResponse> = async (
    revive,
  ) => ({
    endedMapIds: this.endedMapIds,
    partitions: await Promise.all(revive.partitions.map(async (one) => this.onRevive(one, revive))),
  })
  onRegister: (request: messages.RegisterShuffle) => number | Promise<number> = () => StatusCode.SUCCESS
  onMapperEnd: (request: messages.MapperEnd) => number | Promise<number> = () => StatusCode.SUCCESS
  /** The locations that a registration is answered with. */
  locations: (request: messages.RegisterShuffle) => PartitionLocation[] = ({ numPartitions }) =>
    Array.from({ length: numPartitions }, (_, id) => locationAt(this.place(id), id))
  endedMapIds: number[] = []
  private readonly server: RpcServer

  constructor(place: (partitionId: number) => Place) {
    this.place = place
    this.server = new RpcServer({ name: 'scripted LifecycleManager' })
    this.server.endpoint('LifecycleManagerEndpoint', async (type, payload) => this.handle(type, payload))
  }

  async start(): Promise<{ host: string; port: number }> {
    return this.server.listen()
  }

  async close(): Promise<void> {
    await this.server.close()
  }

  private async handle(type: number, payload: Uint8Array): Promise<{ type: number; payload: Uint8Array }> {
    switch (type) {
      case ControlMessageType.REGISTER_SHUFFLE: {
        this.registrations++
        const request = messages.decodeRegisterShuffle(payload)
        const status = await this.onRegister(request)
        return {
          type: ControlMessageType.REGISTER_SHUFFLE_RESPONSE,
          payload: messages.encodeRegisterShuffleResponse({
            status,
            locations: status === StatusCode.SUCCESS ? this.locations(request) : [],
          }),
        }
      }
      case ControlMessageType.CHANGE_LOCATION: {
        const revive = messages.decodeRevive(payload)
        this.revives.push(revive)
        return {
          type: ControlMessageType.CHANGE_LOCATION_RESPONSE,
          payload: messages.encodeChangeLocationResponse(await this.onChangeLocation(revive)),
        }
      }
      case ControlMessageType.MAPPER_END: {
        const request = messages.decodeMapperEnd(payload)
        this.mapperEnds.push(request)
        const status = await this.onMapperEnd(request)
        return {
          type: ControlMessageType.MAPPER_END_RESPONSE,
          payload: messages.encodeMapperEndResponse({ status }),
        }
      }
      default:
        throw new Error(`the scripted LifecycleManager was asked message ${type}`)
    }
  }
}
