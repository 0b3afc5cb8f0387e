// Generated from proto/celeborn.proto by scripts/generate-proto.mjs. Do not edit.
import * as $protobuf from "protobufjs";
import Long = require("long");

export namespace celeborn {

    interface IPbUserIdentifier extends celeborn.PbUserIdentifier.$Properties {
    }

    class PbUserIdentifier {
        constructor(properties?: celeborn.PbUserIdentifier.$Properties);
        $unknowns?: Uint8Array[];
        tenantId: string;
        name: string;
        static encode(message: celeborn.PbUserIdentifier.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbUserIdentifier & celeborn.PbUserIdentifier.$Shape;
    }

    namespace PbUserIdentifier {
        interface $Properties {
            tenantId?: (string|null);
            name?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbUserIdentifier.$Properties;
    }

    interface IPbStorageInfo extends celeborn.PbStorageInfo.$Properties {
    }

    class PbStorageInfo {
        constructor(properties?: celeborn.PbStorageInfo.$Properties);
        $unknowns?: Uint8Array[];
        type: number;
        mountPoint: string;
        finalResult: boolean;
        filePath: string;
        availableStorageTypes: number;
        fileSize: (number|Long);
        chunkOffsets: (number|Long)[];
        static encode(message: celeborn.PbStorageInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbStorageInfo & celeborn.PbStorageInfo.$Shape;
    }

    namespace PbStorageInfo {
        interface $Properties {
            type?: (number|null);
            mountPoint?: (string|null);
            finalResult?: (boolean|null);
            filePath?: (string|null);
            availableStorageTypes?: (number|null);
            fileSize?: (number|Long|null);
            chunkOffsets?: ((number|Long)[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbStorageInfo.$Properties;
    }

    interface IPbPartitionLocation extends celeborn.PbPartitionLocation.$Properties {
    }

    class PbPartitionLocation {
        constructor(properties?: celeborn.PbPartitionLocation.$Properties);
        $unknowns?: Uint8Array[];
        mode: celeborn.PbPartitionLocation.Mode;
        id: number;
        epoch: number;
        host: string;
        rpcPort: number;
        pushPort: number;
        fetchPort: number;
        replicatePort: number;
        peer?: (celeborn.PbPartitionLocation.$Properties|null);
        storageInfo?: (celeborn.PbStorageInfo.$Properties|null);
        mapIdBitmap: Uint8Array;
        static encode(message: celeborn.PbPartitionLocation.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbPartitionLocation & celeborn.PbPartitionLocation.$Shape;
    }

    namespace PbPartitionLocation {
        interface $Properties {
            mode?: (celeborn.PbPartitionLocation.Mode|null);
            id?: (number|null);
            epoch?: (number|null);
            host?: (string|null);
            rpcPort?: (number|null);
            pushPort?: (number|null);
            fetchPort?: (number|null);
            replicatePort?: (number|null);
            peer?: (celeborn.PbPartitionLocation.$Properties|null);
            storageInfo?: (celeborn.PbStorageInfo.$Properties|null);
            mapIdBitmap?: (Uint8Array|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbPartitionLocation.$Properties;

        enum Mode {
            Primary = 0,
            Replica = 1
        }
    }

    interface IPbDiskInfo extends celeborn.PbDiskInfo.$Properties {
    }

    class PbDiskInfo {
        constructor(properties?: celeborn.PbDiskInfo.$Properties);
        $unknowns?: Uint8Array[];
        mountPoint: string;
        usableSpace: (number|Long);
        avgFlushTime: (number|Long);
        usedSlots: (number|Long);
        status: number;
        avgFetchTime: (number|Long);
        storageType: number;
        totalSpace: (number|Long);
        static encode(message: celeborn.PbDiskInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbDiskInfo & celeborn.PbDiskInfo.$Shape;
    }

    namespace PbDiskInfo {
        interface $Properties {
            mountPoint?: (string|null);
            usableSpace?: (number|Long|null);
            avgFlushTime?: (number|Long|null);
            usedSlots?: (number|Long|null);
            status?: (number|null);
            avgFetchTime?: (number|Long|null);
            storageType?: (number|null);
            totalSpace?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbDiskInfo.$Properties;
    }

    interface IPbResourceConsumption extends celeborn.PbResourceConsumption.$Properties {
    }

    class PbResourceConsumption {
        constructor(properties?: celeborn.PbResourceConsumption.$Properties);
        $unknowns?: Uint8Array[];
        diskBytesWritten: (number|Long);
        diskFileCount: (number|Long);
        hdfsBytesWritten: (number|Long);
        hdfsFileCount: (number|Long);
        subResourceConsumptions: { [k: string]: celeborn.PbResourceConsumption.$Properties };
        static encode(message: celeborn.PbResourceConsumption.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbResourceConsumption & celeborn.PbResourceConsumption.$Shape;
    }

    namespace PbResourceConsumption {
        interface $Properties {
            diskBytesWritten?: (number|Long|null);
            diskFileCount?: (number|Long|null);
            hdfsBytesWritten?: (number|Long|null);
            hdfsFileCount?: (number|Long|null);
            subResourceConsumptions?: ({ [k: string]: celeborn.PbResourceConsumption.$Properties }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbResourceConsumption.$Properties;
    }

    interface IPbWorkerInfo extends celeborn.PbWorkerInfo.$Properties {
    }

    class PbWorkerInfo {
        constructor(properties?: celeborn.PbWorkerInfo.$Properties);
        $unknowns?: Uint8Array[];
        host: string;
        rpcPort: number;
        pushPort: number;
        fetchPort: number;
        replicatePort: number;
        disks: celeborn.PbDiskInfo.$Properties[];
        userResourceConsumption: { [k: string]: celeborn.PbResourceConsumption.$Properties };
        internalPort: number;
        networkLocation: string;
        nextInterruptionNotice: (number|Long);
        static encode(message: celeborn.PbWorkerInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbWorkerInfo & celeborn.PbWorkerInfo.$Shape;
    }

    namespace PbWorkerInfo {
        interface $Properties {
            host?: (string|null);
            rpcPort?: (number|null);
            pushPort?: (number|null);
            fetchPort?: (number|null);
            replicatePort?: (number|null);
            disks?: (celeborn.PbDiskInfo.$Properties[]|null);
            userResourceConsumption?: ({ [k: string]: celeborn.PbResourceConsumption.$Properties }|null);
            internalPort?: (number|null);
            networkLocation?: (string|null);
            nextInterruptionNotice?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbWorkerInfo.$Properties;
    }

    interface IPbWorkerResource extends celeborn.PbWorkerResource.$Properties {
    }

    class PbWorkerResource {
        constructor(properties?: celeborn.PbWorkerResource.$Properties);
        $unknowns?: Uint8Array[];
        primaryPartitions: celeborn.PbPartitionLocation.$Properties[];
        replicaPartitions: celeborn.PbPartitionLocation.$Properties[];
        networkLocation: string;
        static encode(message: celeborn.PbWorkerResource.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbWorkerResource & celeborn.PbWorkerResource.$Shape;
    }

    namespace PbWorkerResource {
        interface $Properties {
            primaryPartitions?: (celeborn.PbPartitionLocation.$Properties[]|null);
            replicaPartitions?: (celeborn.PbPartitionLocation.$Properties[]|null);
            networkLocation?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbWorkerResource.$Properties;
    }

    interface IPbChunkOffsets extends celeborn.PbChunkOffsets.$Properties {
    }

    class PbChunkOffsets {
        constructor(properties?: celeborn.PbChunkOffsets.$Properties);
        $unknowns?: Uint8Array[];
        chunkOffset: (number|Long)[];
        static encode(message: celeborn.PbChunkOffsets.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbChunkOffsets & celeborn.PbChunkOffsets.$Shape;
    }

    namespace PbChunkOffsets {
        interface $Properties {
            chunkOffset?: ((number|Long)[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbChunkOffsets.$Properties;
    }

    interface IPbPackedPartitionLocations extends celeborn.PbPackedPartitionLocations.$Properties {
    }

    class PbPackedPartitionLocations {
        constructor(properties?: celeborn.PbPackedPartitionLocations.$Properties);
        $unknowns?: Uint8Array[];
        ids: number[];
        epoches: number[];
        workerIds: number[];
        workerIdsSet: string[];
        mapIdBitMap: Uint8Array[];
        types: number[];
        mountPoints: number[];
        mountPointsSet: string[];
        finalResult: boolean[];
        filePaths: string[];
        availableStorageTypes: number[];
        modes: number[];
        fileSizes: (number|Long)[];
        chunksOffsets: celeborn.PbChunkOffsets.$Properties[];
        static encode(message: celeborn.PbPackedPartitionLocations.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbPackedPartitionLocations & celeborn.PbPackedPartitionLocations.$Shape;
    }

    namespace PbPackedPartitionLocations {
        interface $Properties {
            ids?: (number[]|null);
            epoches?: (number[]|null);
            workerIds?: (number[]|null);
            workerIdsSet?: (string[]|null);
            mapIdBitMap?: (Uint8Array[]|null);
            types?: (number[]|null);
            mountPoints?: (number[]|null);
            mountPointsSet?: (string[]|null);
            finalResult?: (boolean[]|null);
            filePaths?: (string[]|null);
            availableStorageTypes?: (number[]|null);
            modes?: (number[]|null);
            fileSizes?: ((number|Long)[]|null);
            chunksOffsets?: (celeborn.PbChunkOffsets.$Properties[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbPackedPartitionLocations.$Properties;
    }

    interface IPbPackedPartitionLocationsPair extends celeborn.PbPackedPartitionLocationsPair.$Properties {
    }

    class PbPackedPartitionLocationsPair {
        constructor(properties?: celeborn.PbPackedPartitionLocationsPair.$Properties);
        $unknowns?: Uint8Array[];
        locations?: (celeborn.PbPackedPartitionLocations.$Properties|null);
        peerIndexes: number[];
        inputLocationSize: number;
        static encode(message: celeborn.PbPackedPartitionLocationsPair.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbPackedPartitionLocationsPair & celeborn.PbPackedPartitionLocationsPair.$Shape;
    }

    namespace PbPackedPartitionLocationsPair {
        interface $Properties {
            locations?: (celeborn.PbPackedPartitionLocations.$Properties|null);
            peerIndexes?: (number[]|null);
            inputLocationSize?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbPackedPartitionLocationsPair.$Properties;
    }

    interface IPbPackedWorkerResource extends celeborn.PbPackedWorkerResource.$Properties {
    }

    class PbPackedWorkerResource {
        constructor(properties?: celeborn.PbPackedWorkerResource.$Properties);
        $unknowns?: Uint8Array[];
        locationPairs?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
        networkLocation: string;
        static encode(message: celeborn.PbPackedWorkerResource.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbPackedWorkerResource & celeborn.PbPackedWorkerResource.$Shape;
    }

    namespace PbPackedWorkerResource {
        interface $Properties {
            locationPairs?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
            networkLocation?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbPackedWorkerResource.$Properties;
    }

    interface IPbFailedBatches extends celeborn.PbFailedBatches.$Properties {
    }

    class PbFailedBatches {
        constructor(properties?: celeborn.PbFailedBatches.$Properties);
        $unknowns?: Uint8Array[];
        failedBatches: number[];
        static encode(message: celeborn.PbFailedBatches.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbFailedBatches & celeborn.PbFailedBatches.$Shape;
    }

    namespace PbFailedBatches {
        interface $Properties {
            failedBatches?: (number[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbFailedBatches.$Properties;
    }

    interface IPbLocationPushFailedBatches extends celeborn.PbLocationPushFailedBatches.$Properties {
    }

    class PbLocationPushFailedBatches {
        constructor(properties?: celeborn.PbLocationPushFailedBatches.$Properties);
        $unknowns?: Uint8Array[];
        failedBatches: { [k: string]: celeborn.PbFailedBatches.$Properties };
        static encode(message: celeborn.PbLocationPushFailedBatches.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbLocationPushFailedBatches & celeborn.PbLocationPushFailedBatches.$Shape;
    }

    namespace PbLocationPushFailedBatches {
        interface $Properties {
            failedBatches?: ({ [k: string]: celeborn.PbFailedBatches.$Properties }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbLocationPushFailedBatches.$Properties;
    }

    interface IPbStatusResponse extends celeborn.PbStatusResponse.$Properties {
    }

    class PbStatusResponse {
        constructor(properties?: celeborn.PbStatusResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        static encode(message: celeborn.PbStatusResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbStatusResponse & celeborn.PbStatusResponse.$Shape;
    }

    namespace PbStatusResponse {
        interface $Properties {
            status?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbStatusResponse.$Properties;
    }

    interface IPbRegisterShuffle extends celeborn.PbRegisterShuffle.$Properties {
    }

    class PbRegisterShuffle {
        constructor(properties?: celeborn.PbRegisterShuffle.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        numMappers: number;
        numPartitions: number;
        static encode(message: celeborn.PbRegisterShuffle.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterShuffle & celeborn.PbRegisterShuffle.$Shape;
    }

    namespace PbRegisterShuffle {
        interface $Properties {
            shuffleId?: (number|null);
            numMappers?: (number|null);
            numPartitions?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterShuffle.$Properties;
    }

    interface IPbRegisterShuffleResponse extends celeborn.PbRegisterShuffleResponse.$Properties {
    }

    class PbRegisterShuffleResponse {
        constructor(properties?: celeborn.PbRegisterShuffleResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        partitionLocations: celeborn.PbPartitionLocation.$Properties[];
        packedPartitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
        errorMsg: string;
        static encode(message: celeborn.PbRegisterShuffleResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterShuffleResponse & celeborn.PbRegisterShuffleResponse.$Shape;
    }

    namespace PbRegisterShuffleResponse {
        interface $Properties {
            status?: (number|null);
            partitionLocations?: (celeborn.PbPartitionLocation.$Properties[]|null);
            packedPartitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
            errorMsg?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterShuffleResponse.$Properties;
    }

    interface IPbRevivePartitionInfo extends celeborn.PbRevivePartitionInfo.$Properties {
    }

    class PbRevivePartitionInfo {
        constructor(properties?: celeborn.PbRevivePartitionInfo.$Properties);
        $unknowns?: Uint8Array[];
        partitionId: number;
        epoch: number;
        partition?: (celeborn.PbPartitionLocation.$Properties|null);
        status: number;
        static encode(message: celeborn.PbRevivePartitionInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRevivePartitionInfo & celeborn.PbRevivePartitionInfo.$Shape;
    }

    namespace PbRevivePartitionInfo {
        interface $Properties {
            partitionId?: (number|null);
            epoch?: (number|null);
            partition?: (celeborn.PbPartitionLocation.$Properties|null);
            status?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRevivePartitionInfo.$Properties;
    }

    interface IPbRevive extends celeborn.PbRevive.$Properties {
    }

    class PbRevive {
        constructor(properties?: celeborn.PbRevive.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        mapId: number[];
        partitionInfo: celeborn.PbRevivePartitionInfo.$Properties[];
        static encode(message: celeborn.PbRevive.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRevive & celeborn.PbRevive.$Shape;
    }

    namespace PbRevive {
        interface $Properties {
            shuffleId?: (number|null);
            mapId?: (number[]|null);
            partitionInfo?: (celeborn.PbRevivePartitionInfo.$Properties[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRevive.$Properties;
    }

    interface IPbChangeLocationPartitionInfo extends celeborn.PbChangeLocationPartitionInfo.$Properties {
    }

    class PbChangeLocationPartitionInfo {
        constructor(properties?: celeborn.PbChangeLocationPartitionInfo.$Properties);
        $unknowns?: Uint8Array[];
        partitionId: number;
        status: number;
        partition?: (celeborn.PbPartitionLocation.$Properties|null);
        oldAvailable: boolean;
        static encode(message: celeborn.PbChangeLocationPartitionInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbChangeLocationPartitionInfo & celeborn.PbChangeLocationPartitionInfo.$Shape;
    }

    namespace PbChangeLocationPartitionInfo {
        interface $Properties {
            partitionId?: (number|null);
            status?: (number|null);
            partition?: (celeborn.PbPartitionLocation.$Properties|null);
            oldAvailable?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbChangeLocationPartitionInfo.$Properties;
    }

    interface IPbChangeLocationResponse extends celeborn.PbChangeLocationResponse.$Properties {
    }

    class PbChangeLocationResponse {
        constructor(properties?: celeborn.PbChangeLocationResponse.$Properties);
        $unknowns?: Uint8Array[];
        endedMapId: number[];
        partitionInfo: celeborn.PbChangeLocationPartitionInfo.$Properties[];
        static encode(message: celeborn.PbChangeLocationResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbChangeLocationResponse & celeborn.PbChangeLocationResponse.$Shape;
    }

    namespace PbChangeLocationResponse {
        interface $Properties {
            endedMapId?: (number[]|null);
            partitionInfo?: (celeborn.PbChangeLocationPartitionInfo.$Properties[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbChangeLocationResponse.$Properties;
    }

    interface IPbMapperEnd extends celeborn.PbMapperEnd.$Properties {
    }

    class PbMapperEnd {
        constructor(properties?: celeborn.PbMapperEnd.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        mapId: number;
        attemptId: number;
        numMappers: number;
        partitionId: number;
        pushFailureBatches: { [k: string]: celeborn.PbLocationPushFailedBatches.$Properties };
        numPartitions: number;
        crc32PerPartition: number[];
        bytesWrittenPerPartition: (number|Long)[];
        static encode(message: celeborn.PbMapperEnd.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbMapperEnd & celeborn.PbMapperEnd.$Shape;
    }

    namespace PbMapperEnd {
        interface $Properties {
            shuffleId?: (number|null);
            mapId?: (number|null);
            attemptId?: (number|null);
            numMappers?: (number|null);
            partitionId?: (number|null);
            pushFailureBatches?: ({ [k: string]: celeborn.PbLocationPushFailedBatches.$Properties }|null);
            numPartitions?: (number|null);
            crc32PerPartition?: (number[]|null);
            bytesWrittenPerPartition?: ((number|Long)[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbMapperEnd.$Properties;
    }

    interface IPbGetReducerFileGroup extends celeborn.PbGetReducerFileGroup.$Properties {
    }

    class PbGetReducerFileGroup {
        constructor(properties?: celeborn.PbGetReducerFileGroup.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        isSegmentGranularityVisible: boolean;
        static encode(message: celeborn.PbGetReducerFileGroup.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetReducerFileGroup & celeborn.PbGetReducerFileGroup.$Shape;
    }

    namespace PbGetReducerFileGroup {
        interface $Properties {
            shuffleId?: (number|null);
            isSegmentGranularityVisible?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetReducerFileGroup.$Properties;
    }

    interface IPbFileGroup extends celeborn.PbFileGroup.$Properties {
    }

    class PbFileGroup {
        constructor(properties?: celeborn.PbFileGroup.$Properties);
        $unknowns?: Uint8Array[];
        locations: celeborn.PbPartitionLocation.$Properties[];
        partitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
        static encode(message: celeborn.PbFileGroup.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbFileGroup & celeborn.PbFileGroup.$Shape;
    }

    namespace PbFileGroup {
        interface $Properties {
            locations?: (celeborn.PbPartitionLocation.$Properties[]|null);
            partitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbFileGroup.$Properties;
    }

    interface IPbGetReducerFileGroupResponse extends celeborn.PbGetReducerFileGroupResponse.$Properties {
    }

    class PbGetReducerFileGroupResponse {
        constructor(properties?: celeborn.PbGetReducerFileGroupResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        fileGroups: { [k: string]: celeborn.PbFileGroup.$Properties };
        attempts: number[];
        partitionIds: number[];
        pushFailedBatches: { [k: string]: celeborn.PbLocationPushFailedBatches.$Properties };
        broadcast: Uint8Array;
        errorMsg: string;
        static encode(message: celeborn.PbGetReducerFileGroupResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetReducerFileGroupResponse & celeborn.PbGetReducerFileGroupResponse.$Shape;
    }

    namespace PbGetReducerFileGroupResponse {
        interface $Properties {
            status?: (number|null);
            fileGroups?: ({ [k: string]: celeborn.PbFileGroup.$Properties }|null);
            attempts?: (number[]|null);
            partitionIds?: (number[]|null);
            pushFailedBatches?: ({ [k: string]: celeborn.PbLocationPushFailedBatches.$Properties }|null);
            broadcast?: (Uint8Array|null);
            errorMsg?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetReducerFileGroupResponse.$Properties;
    }

    interface IPbGetShuffleId extends celeborn.PbGetShuffleId.$Properties {
    }

    class PbGetShuffleId {
        constructor(properties?: celeborn.PbGetShuffleId.$Properties);
        $unknowns?: Uint8Array[];
        appShuffleId: number;
        appShuffleIdentifier: string;
        isShuffleWriter: boolean;
        isBarrierStage: boolean;
        static encode(message: celeborn.PbGetShuffleId.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetShuffleId & celeborn.PbGetShuffleId.$Shape;
    }

    namespace PbGetShuffleId {
        interface $Properties {
            appShuffleId?: (number|null);
            appShuffleIdentifier?: (string|null);
            isShuffleWriter?: (boolean|null);
            isBarrierStage?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetShuffleId.$Properties;
    }

    interface IPbGetShuffleIdResponse extends celeborn.PbGetShuffleIdResponse.$Properties {
    }

    class PbGetShuffleIdResponse {
        constructor(properties?: celeborn.PbGetShuffleIdResponse.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        success: boolean;
        static encode(message: celeborn.PbGetShuffleIdResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetShuffleIdResponse & celeborn.PbGetShuffleIdResponse.$Shape;
    }

    namespace PbGetShuffleIdResponse {
        interface $Properties {
            shuffleId?: (number|null);
            success?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetShuffleIdResponse.$Properties;
    }

    interface IPbReportShuffleFetchFailure extends celeborn.PbReportShuffleFetchFailure.$Properties {
    }

    class PbReportShuffleFetchFailure {
        constructor(properties?: celeborn.PbReportShuffleFetchFailure.$Properties);
        $unknowns?: Uint8Array[];
        appShuffleId: number;
        shuffleId: number;
        taskId: (number|Long);
        static encode(message: celeborn.PbReportShuffleFetchFailure.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReportShuffleFetchFailure & celeborn.PbReportShuffleFetchFailure.$Shape;
    }

    namespace PbReportShuffleFetchFailure {
        interface $Properties {
            appShuffleId?: (number|null);
            shuffleId?: (number|null);
            taskId?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReportShuffleFetchFailure.$Properties;
    }

    interface IPbReportShuffleFetchFailureResponse extends celeborn.PbReportShuffleFetchFailureResponse.$Properties {
    }

    class PbReportShuffleFetchFailureResponse {
        constructor(properties?: celeborn.PbReportShuffleFetchFailureResponse.$Properties);
        $unknowns?: Uint8Array[];
        success: boolean;
        static encode(message: celeborn.PbReportShuffleFetchFailureResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReportShuffleFetchFailureResponse & celeborn.PbReportShuffleFetchFailureResponse.$Shape;
    }

    namespace PbReportShuffleFetchFailureResponse {
        interface $Properties {
            success?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReportShuffleFetchFailureResponse.$Properties;
    }

    interface IPbReportBarrierStageAttemptFailure extends celeborn.PbReportBarrierStageAttemptFailure.$Properties {
    }

    class PbReportBarrierStageAttemptFailure {
        constructor(properties?: celeborn.PbReportBarrierStageAttemptFailure.$Properties);
        $unknowns?: Uint8Array[];
        appShuffleId: number;
        appShuffleIdentifier: string;
        static encode(message: celeborn.PbReportBarrierStageAttemptFailure.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReportBarrierStageAttemptFailure & celeborn.PbReportBarrierStageAttemptFailure.$Shape;
    }

    namespace PbReportBarrierStageAttemptFailure {
        interface $Properties {
            appShuffleId?: (number|null);
            appShuffleIdentifier?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReportBarrierStageAttemptFailure.$Properties;
    }

    interface IPbReportBarrierStageAttemptFailureResponse extends celeborn.PbReportBarrierStageAttemptFailureResponse.$Properties {
    }

    class PbReportBarrierStageAttemptFailureResponse {
        constructor(properties?: celeborn.PbReportBarrierStageAttemptFailureResponse.$Properties);
        $unknowns?: Uint8Array[];
        success: boolean;
        static encode(message: celeborn.PbReportBarrierStageAttemptFailureResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReportBarrierStageAttemptFailureResponse & celeborn.PbReportBarrierStageAttemptFailureResponse.$Shape;
    }

    namespace PbReportBarrierStageAttemptFailureResponse {
        interface $Properties {
            success?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReportBarrierStageAttemptFailureResponse.$Properties;
    }

    interface IPbGetStageEnd extends celeborn.PbGetStageEnd.$Properties {
    }

    class PbGetStageEnd {
        constructor(properties?: celeborn.PbGetStageEnd.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        static encode(message: celeborn.PbGetStageEnd.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetStageEnd & celeborn.PbGetStageEnd.$Shape;
    }

    namespace PbGetStageEnd {
        interface $Properties {
            shuffleId?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetStageEnd.$Properties;
    }

    interface IPbGetStageEndResponse extends celeborn.PbGetStageEndResponse.$Properties {
    }

    class PbGetStageEndResponse {
        constructor(properties?: celeborn.PbGetStageEndResponse.$Properties);
        $unknowns?: Uint8Array[];
        stageEnd: boolean;
        static encode(message: celeborn.PbGetStageEndResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbGetStageEndResponse & celeborn.PbGetStageEndResponse.$Shape;
    }

    namespace PbGetStageEndResponse {
        interface $Properties {
            stageEnd?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbGetStageEndResponse.$Properties;
    }

    interface IPbReadReducerPartitionEnd extends celeborn.PbReadReducerPartitionEnd.$Properties {
    }

    class PbReadReducerPartitionEnd {
        constructor(properties?: celeborn.PbReadReducerPartitionEnd.$Properties);
        $unknowns?: Uint8Array[];
        shuffleId: number;
        partitionId: number;
        startMaxIndex: number;
        endMapIndex: number;
        crc32: number;
        bytesWritten: (number|Long);
        static encode(message: celeborn.PbReadReducerPartitionEnd.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReadReducerPartitionEnd & celeborn.PbReadReducerPartitionEnd.$Shape;
    }

    namespace PbReadReducerPartitionEnd {
        interface $Properties {
            shuffleId?: (number|null);
            partitionId?: (number|null);
            startMaxIndex?: (number|null);
            endMapIndex?: (number|null);
            crc32?: (number|null);
            bytesWritten?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReadReducerPartitionEnd.$Properties;
    }

    interface IPbReadReducerPartitionEndResponse extends celeborn.PbReadReducerPartitionEndResponse.$Properties {
    }

    class PbReadReducerPartitionEndResponse {
        constructor(properties?: celeborn.PbReadReducerPartitionEndResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        errorMsg: string;
        static encode(message: celeborn.PbReadReducerPartitionEndResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReadReducerPartitionEndResponse & celeborn.PbReadReducerPartitionEndResponse.$Shape;
    }

    namespace PbReadReducerPartitionEndResponse {
        interface $Properties {
            status?: (number|null);
            errorMsg?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReadReducerPartitionEndResponse.$Properties;
    }

    interface IPbApplicationMetaRequest extends celeborn.PbApplicationMetaRequest.$Properties {
    }

    class PbApplicationMetaRequest {
        constructor(properties?: celeborn.PbApplicationMetaRequest.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        static encode(message: celeborn.PbApplicationMetaRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbApplicationMetaRequest & celeborn.PbApplicationMetaRequest.$Shape;
    }

    namespace PbApplicationMetaRequest {
        interface $Properties {
            appId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbApplicationMetaRequest.$Properties;
    }

    interface IPbApplicationMeta extends celeborn.PbApplicationMeta.$Properties {
    }

    class PbApplicationMeta {
        constructor(properties?: celeborn.PbApplicationMeta.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        secret: string;
        static encode(message: celeborn.PbApplicationMeta.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbApplicationMeta & celeborn.PbApplicationMeta.$Shape;
    }

    namespace PbApplicationMeta {
        interface $Properties {
            appId?: (string|null);
            secret?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbApplicationMeta.$Properties;
    }

    interface IPbRequestSlots extends celeborn.PbRequestSlots.$Properties {
    }

    class PbRequestSlots {
        constructor(properties?: celeborn.PbRequestSlots.$Properties);
        $unknowns?: Uint8Array[];
        applicationId: string;
        shuffleId: number;
        partitionIdList: number[];
        hostname: string;
        shouldReplicate: boolean;
        requestId: string;
        storageType: number;
        userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
        shouldRackAware: boolean;
        maxWorkers: number;
        availableStorageTypes: number;
        excludedWorkerSet: celeborn.PbWorkerInfo.$Properties[];
        packed: boolean;
        tagsExpr: string;
        static encode(message: celeborn.PbRequestSlots.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRequestSlots & celeborn.PbRequestSlots.$Shape;
    }

    namespace PbRequestSlots {
        interface $Properties {
            applicationId?: (string|null);
            shuffleId?: (number|null);
            partitionIdList?: (number[]|null);
            hostname?: (string|null);
            shouldReplicate?: (boolean|null);
            requestId?: (string|null);
            storageType?: (number|null);
            userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
            shouldRackAware?: (boolean|null);
            maxWorkers?: (number|null);
            availableStorageTypes?: (number|null);
            excludedWorkerSet?: (celeborn.PbWorkerInfo.$Properties[]|null);
            packed?: (boolean|null);
            tagsExpr?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRequestSlots.$Properties;
    }

    interface IPbRequestSlotsResponse extends celeborn.PbRequestSlotsResponse.$Properties {
    }

    class PbRequestSlotsResponse {
        constructor(properties?: celeborn.PbRequestSlotsResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        workerResource: { [k: string]: celeborn.PbWorkerResource.$Properties };
        packedWorkerResource: { [k: string]: celeborn.PbPackedWorkerResource.$Properties };
        static encode(message: celeborn.PbRequestSlotsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRequestSlotsResponse & celeborn.PbRequestSlotsResponse.$Shape;
    }

    namespace PbRequestSlotsResponse {
        interface $Properties {
            status?: (number|null);
            workerResource?: ({ [k: string]: celeborn.PbWorkerResource.$Properties }|null);
            packedWorkerResource?: ({ [k: string]: celeborn.PbPackedWorkerResource.$Properties }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRequestSlotsResponse.$Properties;
    }

    interface IPbHeartbeatFromApplication extends celeborn.PbHeartbeatFromApplication.$Properties {
    }

    class PbHeartbeatFromApplication {
        constructor(properties?: celeborn.PbHeartbeatFromApplication.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        totalWritten: (number|Long);
        fileCount: (number|Long);
        requestId: string;
        needCheckedWorkerList: celeborn.PbWorkerInfo.$Properties[];
        shouldResponse: boolean;
        shuffleCount: (number|Long);
        shuffleFallbackCounts: { [k: string]: (number|Long) };
        applicationCount: (number|Long);
        applicationFallbackCounts: { [k: string]: (number|Long) };
        static encode(message: celeborn.PbHeartbeatFromApplication.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbHeartbeatFromApplication & celeborn.PbHeartbeatFromApplication.$Shape;
    }

    namespace PbHeartbeatFromApplication {
        interface $Properties {
            appId?: (string|null);
            totalWritten?: (number|Long|null);
            fileCount?: (number|Long|null);
            requestId?: (string|null);
            needCheckedWorkerList?: (celeborn.PbWorkerInfo.$Properties[]|null);
            shouldResponse?: (boolean|null);
            shuffleCount?: (number|Long|null);
            shuffleFallbackCounts?: ({ [k: string]: (number|Long) }|null);
            applicationCount?: (number|Long|null);
            applicationFallbackCounts?: ({ [k: string]: (number|Long) }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbHeartbeatFromApplication.$Properties;
    }

    interface IPbCheckQuotaResponse extends celeborn.PbCheckQuotaResponse.$Properties {
    }

    class PbCheckQuotaResponse {
        constructor(properties?: celeborn.PbCheckQuotaResponse.$Properties);
        $unknowns?: Uint8Array[];
        available: boolean;
        reason: string;
        static encode(message: celeborn.PbCheckQuotaResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbCheckQuotaResponse & celeborn.PbCheckQuotaResponse.$Shape;
    }

    namespace PbCheckQuotaResponse {
        interface $Properties {
            available?: (boolean|null);
            reason?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbCheckQuotaResponse.$Properties;
    }

    interface IPbHeartbeatFromApplicationResponse extends celeborn.PbHeartbeatFromApplicationResponse.$Properties {
    }

    class PbHeartbeatFromApplicationResponse {
        constructor(properties?: celeborn.PbHeartbeatFromApplicationResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        excludedWorkers: celeborn.PbWorkerInfo.$Properties[];
        unknownWorkers: celeborn.PbWorkerInfo.$Properties[];
        shuttingWorkers: celeborn.PbWorkerInfo.$Properties[];
        registeredShuffles: number[];
        checkQuotaResponse?: (celeborn.PbCheckQuotaResponse.$Properties|null);
        static encode(message: celeborn.PbHeartbeatFromApplicationResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbHeartbeatFromApplicationResponse & celeborn.PbHeartbeatFromApplicationResponse.$Shape;
    }

    namespace PbHeartbeatFromApplicationResponse {
        interface $Properties {
            status?: (number|null);
            excludedWorkers?: (celeborn.PbWorkerInfo.$Properties[]|null);
            unknownWorkers?: (celeborn.PbWorkerInfo.$Properties[]|null);
            shuttingWorkers?: (celeborn.PbWorkerInfo.$Properties[]|null);
            registeredShuffles?: (number[]|null);
            checkQuotaResponse?: (celeborn.PbCheckQuotaResponse.$Properties|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbHeartbeatFromApplicationResponse.$Properties;
    }

    interface IPbUnregisterShuffle extends celeborn.PbUnregisterShuffle.$Properties {
    }

    class PbUnregisterShuffle {
        constructor(properties?: celeborn.PbUnregisterShuffle.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        shuffleId: number;
        requestId: string;
        static encode(message: celeborn.PbUnregisterShuffle.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbUnregisterShuffle & celeborn.PbUnregisterShuffle.$Shape;
    }

    namespace PbUnregisterShuffle {
        interface $Properties {
            appId?: (string|null);
            shuffleId?: (number|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbUnregisterShuffle.$Properties;
    }

    interface IPbBatchUnregisterShuffles extends celeborn.PbBatchUnregisterShuffles.$Properties {
    }

    class PbBatchUnregisterShuffles {
        constructor(properties?: celeborn.PbBatchUnregisterShuffles.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        requestId: string;
        shuffleIds: number[];
        static encode(message: celeborn.PbBatchUnregisterShuffles.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbBatchUnregisterShuffles & celeborn.PbBatchUnregisterShuffles.$Shape;
    }

    namespace PbBatchUnregisterShuffles {
        interface $Properties {
            appId?: (string|null);
            requestId?: (string|null);
            shuffleIds?: (number[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbBatchUnregisterShuffles.$Properties;
    }

    interface IPbBatchUnregisterShufflesResponse extends celeborn.PbBatchUnregisterShufflesResponse.$Properties {
    }

    class PbBatchUnregisterShufflesResponse {
        constructor(properties?: celeborn.PbBatchUnregisterShufflesResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        shuffleIds: number[];
        static encode(message: celeborn.PbBatchUnregisterShufflesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbBatchUnregisterShufflesResponse & celeborn.PbBatchUnregisterShufflesResponse.$Shape;
    }

    namespace PbBatchUnregisterShufflesResponse {
        interface $Properties {
            status?: (number|null);
            shuffleIds?: (number[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbBatchUnregisterShufflesResponse.$Properties;
    }

    interface IPbCheckQuota extends celeborn.PbCheckQuota.$Properties {
    }

    class PbCheckQuota {
        constructor(properties?: celeborn.PbCheckQuota.$Properties);
        $unknowns?: Uint8Array[];
        userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
        static encode(message: celeborn.PbCheckQuota.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbCheckQuota & celeborn.PbCheckQuota.$Shape;
    }

    namespace PbCheckQuota {
        interface $Properties {
            userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbCheckQuota.$Properties;
    }

    interface IPbCheckWorkersAvailableResponse extends celeborn.PbCheckWorkersAvailableResponse.$Properties {
    }

    class PbCheckWorkersAvailableResponse {
        constructor(properties?: celeborn.PbCheckWorkersAvailableResponse.$Properties);
        $unknowns?: Uint8Array[];
        available: boolean;
        static encode(message: celeborn.PbCheckWorkersAvailableResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbCheckWorkersAvailableResponse & celeborn.PbCheckWorkersAvailableResponse.$Shape;
    }

    namespace PbCheckWorkersAvailableResponse {
        interface $Properties {
            available?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbCheckWorkersAvailableResponse.$Properties;
    }

    interface IPbApplicationLost extends celeborn.PbApplicationLost.$Properties {
    }

    class PbApplicationLost {
        constructor(properties?: celeborn.PbApplicationLost.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        requestId: string;
        static encode(message: celeborn.PbApplicationLost.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbApplicationLost & celeborn.PbApplicationLost.$Shape;
    }

    namespace PbApplicationLost {
        interface $Properties {
            appId?: (string|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbApplicationLost.$Properties;
    }

    interface IPbRegisterApplicationInfo extends celeborn.PbRegisterApplicationInfo.$Properties {
    }

    class PbRegisterApplicationInfo {
        constructor(properties?: celeborn.PbRegisterApplicationInfo.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
        extraInfo: { [k: string]: string };
        requestId: string;
        static encode(message: celeborn.PbRegisterApplicationInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterApplicationInfo & celeborn.PbRegisterApplicationInfo.$Shape;
    }

    namespace PbRegisterApplicationInfo {
        interface $Properties {
            appId?: (string|null);
            userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
            extraInfo?: ({ [k: string]: string }|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterApplicationInfo.$Properties;
    }

    interface IPbSlotInfo extends celeborn.PbSlotInfo.$Properties {
    }

    class PbSlotInfo {
        constructor(properties?: celeborn.PbSlotInfo.$Properties);
        $unknowns?: Uint8Array[];
        slot: { [k: string]: number };
        static encode(message: celeborn.PbSlotInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbSlotInfo & celeborn.PbSlotInfo.$Shape;
    }

    namespace PbSlotInfo {
        interface $Properties {
            slot?: ({ [k: string]: number }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbSlotInfo.$Properties;
    }

    interface IPbReleaseSlots extends celeborn.PbReleaseSlots.$Properties {
    }

    class PbReleaseSlots {
        constructor(properties?: celeborn.PbReleaseSlots.$Properties);
        $unknowns?: Uint8Array[];
        applicationId: string;
        shuffleId: number;
        workerIds: string[];
        slots: celeborn.PbSlotInfo.$Properties[];
        requestId: string;
        static encode(message: celeborn.PbReleaseSlots.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReleaseSlots & celeborn.PbReleaseSlots.$Shape;
    }

    namespace PbReleaseSlots {
        interface $Properties {
            applicationId?: (string|null);
            shuffleId?: (number|null);
            workerIds?: (string[]|null);
            slots?: (celeborn.PbSlotInfo.$Properties[]|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReleaseSlots.$Properties;
    }

    interface IPbReviseLostShuffles extends celeborn.PbReviseLostShuffles.$Properties {
    }

    class PbReviseLostShuffles {
        constructor(properties?: celeborn.PbReviseLostShuffles.$Properties);
        $unknowns?: Uint8Array[];
        appId: string;
        lostShuffles: number[];
        requestId: string;
        static encode(message: celeborn.PbReviseLostShuffles.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReviseLostShuffles & celeborn.PbReviseLostShuffles.$Shape;
    }

    namespace PbReviseLostShuffles {
        interface $Properties {
            appId?: (string|null);
            lostShuffles?: (number[]|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReviseLostShuffles.$Properties;
    }

    interface IPbReviseLostShufflesResponse extends celeborn.PbReviseLostShufflesResponse.$Properties {
    }

    class PbReviseLostShufflesResponse {
        constructor(properties?: celeborn.PbReviseLostShufflesResponse.$Properties);
        $unknowns?: Uint8Array[];
        success: boolean;
        message: string;
        static encode(message: celeborn.PbReviseLostShufflesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReviseLostShufflesResponse & celeborn.PbReviseLostShufflesResponse.$Shape;
    }

    namespace PbReviseLostShufflesResponse {
        interface $Properties {
            success?: (boolean|null);
            message?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReviseLostShufflesResponse.$Properties;
    }

    interface IPbReserveSlots extends celeborn.PbReserveSlots.$Properties {
    }

    class PbReserveSlots {
        constructor(properties?: celeborn.PbReserveSlots.$Properties);
        $unknowns?: Uint8Array[];
        applicationId: string;
        shuffleId: number;
        primaryLocations: celeborn.PbPartitionLocation.$Properties[];
        replicaLocations: celeborn.PbPartitionLocation.$Properties[];
        splitThreshold: (number|Long);
        splitMode: number;
        partitionType: number;
        rangeReadFilter: boolean;
        userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
        pushDataTimeout: (number|Long);
        partitionSplitEnabled: boolean;
        availableStorageTypes: number;
        partitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
        isSegmentGranularityVisible: boolean;
        static encode(message: celeborn.PbReserveSlots.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReserveSlots & celeborn.PbReserveSlots.$Shape;
    }

    namespace PbReserveSlots {
        interface $Properties {
            applicationId?: (string|null);
            shuffleId?: (number|null);
            primaryLocations?: (celeborn.PbPartitionLocation.$Properties[]|null);
            replicaLocations?: (celeborn.PbPartitionLocation.$Properties[]|null);
            splitThreshold?: (number|Long|null);
            splitMode?: (number|null);
            partitionType?: (number|null);
            rangeReadFilter?: (boolean|null);
            userIdentifier?: (celeborn.PbUserIdentifier.$Properties|null);
            pushDataTimeout?: (number|Long|null);
            partitionSplitEnabled?: (boolean|null);
            availableStorageTypes?: (number|null);
            partitionLocationsPair?: (celeborn.PbPackedPartitionLocationsPair.$Properties|null);
            isSegmentGranularityVisible?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReserveSlots.$Properties;
    }

    interface IPbReserveSlotsResponse extends celeborn.PbReserveSlotsResponse.$Properties {
    }

    class PbReserveSlotsResponse {
        constructor(properties?: celeborn.PbReserveSlotsResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        reason: string;
        static encode(message: celeborn.PbReserveSlotsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReserveSlotsResponse & celeborn.PbReserveSlotsResponse.$Shape;
    }

    namespace PbReserveSlotsResponse {
        interface $Properties {
            status?: (number|null);
            reason?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReserveSlotsResponse.$Properties;
    }

    interface IPbCommitFiles extends celeborn.PbCommitFiles.$Properties {
    }

    class PbCommitFiles {
        constructor(properties?: celeborn.PbCommitFiles.$Properties);
        $unknowns?: Uint8Array[];
        applicationId: string;
        shuffleId: number;
        primaryIds: string[];
        replicaIds: string[];
        mapAttempts: number[];
        epoch: (number|Long);
        mockFailure: boolean;
        static encode(message: celeborn.PbCommitFiles.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbCommitFiles & celeborn.PbCommitFiles.$Shape;
    }

    namespace PbCommitFiles {
        interface $Properties {
            applicationId?: (string|null);
            shuffleId?: (number|null);
            primaryIds?: (string[]|null);
            replicaIds?: (string[]|null);
            mapAttempts?: (number[]|null);
            epoch?: (number|Long|null);
            mockFailure?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbCommitFiles.$Properties;
    }

    interface IPbCommitFilesResponse extends celeborn.PbCommitFilesResponse.$Properties {
    }

    class PbCommitFilesResponse {
        constructor(properties?: celeborn.PbCommitFilesResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        committedPrimaryIds: string[];
        committedReplicaIds: string[];
        failedPrimaryIds: string[];
        failedReplicaIds: string[];
        committedPrimaryStorageInfos: { [k: string]: celeborn.PbStorageInfo.$Properties };
        committedReplicaStorageInfos: { [k: string]: celeborn.PbStorageInfo.$Properties };
        totalWritten: (number|Long);
        fileCount: number;
        mapIdBitmap: { [k: string]: Uint8Array };
        static encode(message: celeborn.PbCommitFilesResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbCommitFilesResponse & celeborn.PbCommitFilesResponse.$Shape;
    }

    namespace PbCommitFilesResponse {
        interface $Properties {
            status?: (number|null);
            committedPrimaryIds?: (string[]|null);
            committedReplicaIds?: (string[]|null);
            failedPrimaryIds?: (string[]|null);
            failedReplicaIds?: (string[]|null);
            committedPrimaryStorageInfos?: ({ [k: string]: celeborn.PbStorageInfo.$Properties }|null);
            committedReplicaStorageInfos?: ({ [k: string]: celeborn.PbStorageInfo.$Properties }|null);
            totalWritten?: (number|Long|null);
            fileCount?: (number|null);
            mapIdBitmap?: ({ [k: string]: Uint8Array }|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbCommitFilesResponse.$Properties;
    }

    interface IPbDestroyWorkerSlots extends celeborn.PbDestroyWorkerSlots.$Properties {
    }

    class PbDestroyWorkerSlots {
        constructor(properties?: celeborn.PbDestroyWorkerSlots.$Properties);
        $unknowns?: Uint8Array[];
        shuffleKey: string;
        primaryLocations: string[];
        replicaLocation: string[];
        mockFailure: boolean;
        static encode(message: celeborn.PbDestroyWorkerSlots.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbDestroyWorkerSlots & celeborn.PbDestroyWorkerSlots.$Shape;
    }

    namespace PbDestroyWorkerSlots {
        interface $Properties {
            shuffleKey?: (string|null);
            primaryLocations?: (string[]|null);
            replicaLocation?: (string[]|null);
            mockFailure?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbDestroyWorkerSlots.$Properties;
    }

    interface IPbDestroyWorkerSlotsResponse extends celeborn.PbDestroyWorkerSlotsResponse.$Properties {
    }

    class PbDestroyWorkerSlotsResponse {
        constructor(properties?: celeborn.PbDestroyWorkerSlotsResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        failedPrimaries: string[];
        failedReplicas: string[];
        static encode(message: celeborn.PbDestroyWorkerSlotsResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbDestroyWorkerSlotsResponse & celeborn.PbDestroyWorkerSlotsResponse.$Shape;
    }

    namespace PbDestroyWorkerSlotsResponse {
        interface $Properties {
            status?: (number|null);
            failedPrimaries?: (string[]|null);
            failedReplicas?: (string[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbDestroyWorkerSlotsResponse.$Properties;
    }

    interface IPbRegisterWorker extends celeborn.PbRegisterWorker.$Properties {
    }

    class PbRegisterWorker {
        constructor(properties?: celeborn.PbRegisterWorker.$Properties);
        $unknowns?: Uint8Array[];
        host: string;
        rpcPort: number;
        pushPort: number;
        fetchPort: number;
        replicatePort: number;
        disks: celeborn.PbDiskInfo.$Properties[];
        userResourceConsumption: { [k: string]: celeborn.PbResourceConsumption.$Properties };
        requestId: string;
        internalPort: number;
        networkLocation: string;
        static encode(message: celeborn.PbRegisterWorker.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterWorker & celeborn.PbRegisterWorker.$Shape;
    }

    namespace PbRegisterWorker {
        interface $Properties {
            host?: (string|null);
            rpcPort?: (number|null);
            pushPort?: (number|null);
            fetchPort?: (number|null);
            replicatePort?: (number|null);
            disks?: (celeborn.PbDiskInfo.$Properties[]|null);
            userResourceConsumption?: ({ [k: string]: celeborn.PbResourceConsumption.$Properties }|null);
            requestId?: (string|null);
            internalPort?: (number|null);
            networkLocation?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterWorker.$Properties;
    }

    interface IPbRegisterWorkerResponse extends celeborn.PbRegisterWorkerResponse.$Properties {
    }

    class PbRegisterWorkerResponse {
        constructor(properties?: celeborn.PbRegisterWorkerResponse.$Properties);
        $unknowns?: Uint8Array[];
        success: boolean;
        message: string;
        static encode(message: celeborn.PbRegisterWorkerResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterWorkerResponse & celeborn.PbRegisterWorkerResponse.$Shape;
    }

    namespace PbRegisterWorkerResponse {
        interface $Properties {
            success?: (boolean|null);
            message?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterWorkerResponse.$Properties;
    }

    interface IPbWorkerStatus extends celeborn.PbWorkerStatus.$Properties {
    }

    class PbWorkerStatus {
        constructor(properties?: celeborn.PbWorkerStatus.$Properties);
        $unknowns?: Uint8Array[];
        state: number;
        stateStartTime: (number|Long);
        static encode(message: celeborn.PbWorkerStatus.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbWorkerStatus & celeborn.PbWorkerStatus.$Shape;
    }

    namespace PbWorkerStatus {
        interface $Properties {
            state?: (number|null);
            stateStartTime?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbWorkerStatus.$Properties;
    }

    interface IPbHeartbeatFromWorker extends celeborn.PbHeartbeatFromWorker.$Properties {
    }

    class PbHeartbeatFromWorker {
        constructor(properties?: celeborn.PbHeartbeatFromWorker.$Properties);
        $unknowns?: Uint8Array[];
        host: string;
        rpcPort: number;
        pushPort: number;
        fetchPort: number;
        replicatePort: number;
        disks: celeborn.PbDiskInfo.$Properties[];
        activeShuffleKeys: string[];
        requestId: string;
        userResourceConsumption: { [k: string]: celeborn.PbResourceConsumption.$Properties };
        estimatedAppDiskUsage: { [k: string]: (number|Long) };
        highWorkload: boolean;
        workerStatus?: (celeborn.PbWorkerStatus.$Properties|null);
        static encode(message: celeborn.PbHeartbeatFromWorker.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbHeartbeatFromWorker & celeborn.PbHeartbeatFromWorker.$Shape;
    }

    namespace PbHeartbeatFromWorker {
        interface $Properties {
            host?: (string|null);
            rpcPort?: (number|null);
            pushPort?: (number|null);
            fetchPort?: (number|null);
            replicatePort?: (number|null);
            disks?: (celeborn.PbDiskInfo.$Properties[]|null);
            activeShuffleKeys?: (string[]|null);
            requestId?: (string|null);
            userResourceConsumption?: ({ [k: string]: celeborn.PbResourceConsumption.$Properties }|null);
            estimatedAppDiskUsage?: ({ [k: string]: (number|Long) }|null);
            highWorkload?: (boolean|null);
            workerStatus?: (celeborn.PbWorkerStatus.$Properties|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbHeartbeatFromWorker.$Properties;
    }

    interface IPbHeartbeatFromWorkerResponse extends celeborn.PbHeartbeatFromWorkerResponse.$Properties {
    }

    class PbHeartbeatFromWorkerResponse {
        constructor(properties?: celeborn.PbHeartbeatFromWorkerResponse.$Properties);
        $unknowns?: Uint8Array[];
        expiredShuffleKeys: string[];
        registered: boolean;
        workerEventType: number;
        static encode(message: celeborn.PbHeartbeatFromWorkerResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbHeartbeatFromWorkerResponse & celeborn.PbHeartbeatFromWorkerResponse.$Shape;
    }

    namespace PbHeartbeatFromWorkerResponse {
        interface $Properties {
            expiredShuffleKeys?: (string[]|null);
            registered?: (boolean|null);
            workerEventType?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbHeartbeatFromWorkerResponse.$Properties;
    }

    interface IPbWorkerLost extends celeborn.PbWorkerLost.$Properties {
    }

    class PbWorkerLost {
        constructor(properties?: celeborn.PbWorkerLost.$Properties);
        $unknowns?: Uint8Array[];
        host: string;
        rpcPort: number;
        pushPort: number;
        fetchPort: number;
        replicatePort: number;
        requestId: string;
        static encode(message: celeborn.PbWorkerLost.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbWorkerLost & celeborn.PbWorkerLost.$Shape;
    }

    namespace PbWorkerLost {
        interface $Properties {
            host?: (string|null);
            rpcPort?: (number|null);
            pushPort?: (number|null);
            fetchPort?: (number|null);
            replicatePort?: (number|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbWorkerLost.$Properties;
    }

    interface IPbWorkerLostResponse extends celeborn.PbWorkerLostResponse.$Properties {
    }

    class PbWorkerLostResponse {
        constructor(properties?: celeborn.PbWorkerLostResponse.$Properties);
        $unknowns?: Uint8Array[];
        success: boolean;
        static encode(message: celeborn.PbWorkerLostResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbWorkerLostResponse & celeborn.PbWorkerLostResponse.$Shape;
    }

    namespace PbWorkerLostResponse {
        interface $Properties {
            success?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbWorkerLostResponse.$Properties;
    }

    interface IPbReportWorkerUnavailable extends celeborn.PbReportWorkerUnavailable.$Properties {
    }

    class PbReportWorkerUnavailable {
        constructor(properties?: celeborn.PbReportWorkerUnavailable.$Properties);
        $unknowns?: Uint8Array[];
        workers: celeborn.PbWorkerInfo.$Properties[];
        requestId: string;
        static encode(message: celeborn.PbReportWorkerUnavailable.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbReportWorkerUnavailable & celeborn.PbReportWorkerUnavailable.$Shape;
    }

    namespace PbReportWorkerUnavailable {
        interface $Properties {
            workers?: (celeborn.PbWorkerInfo.$Properties[]|null);
            requestId?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbReportWorkerUnavailable.$Properties;
    }

    interface IPbOpenStream extends celeborn.PbOpenStream.$Properties {
    }

    class PbOpenStream {
        constructor(properties?: celeborn.PbOpenStream.$Properties);
        $unknowns?: Uint8Array[];
        shuffleKey: string;
        fileName: string;
        startIndex: number;
        endIndex: number;
        initialCredit: number;
        readLocalShuffle: boolean;
        static encode(message: celeborn.PbOpenStream.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbOpenStream & celeborn.PbOpenStream.$Shape;
    }

    namespace PbOpenStream {
        interface $Properties {
            shuffleKey?: (string|null);
            fileName?: (string|null);
            startIndex?: (number|null);
            endIndex?: (number|null);
            initialCredit?: (number|null);
            readLocalShuffle?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbOpenStream.$Properties;
    }

    interface IPbStreamHandler extends celeborn.PbStreamHandler.$Properties {
    }

    class PbStreamHandler {
        constructor(properties?: celeborn.PbStreamHandler.$Properties);
        $unknowns?: Uint8Array[];
        streamId: (number|Long);
        numChunks: number;
        chunkOffsets: (number|Long)[];
        fullPath: string;
        static encode(message: celeborn.PbStreamHandler.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbStreamHandler & celeborn.PbStreamHandler.$Shape;
    }

    namespace PbStreamHandler {
        interface $Properties {
            streamId?: (number|Long|null);
            numChunks?: (number|null);
            chunkOffsets?: ((number|Long)[]|null);
            fullPath?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbStreamHandler.$Properties;
    }

    interface IPbOpenStreamList extends celeborn.PbOpenStreamList.$Properties {
    }

    class PbOpenStreamList {
        constructor(properties?: celeborn.PbOpenStreamList.$Properties);
        $unknowns?: Uint8Array[];
        shuffleKey: string;
        fileName: string[];
        startIndex: number[];
        endIndex: number[];
        initialCredit: number[];
        readLocalShuffle: boolean[];
        static encode(message: celeborn.PbOpenStreamList.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbOpenStreamList & celeborn.PbOpenStreamList.$Shape;
    }

    namespace PbOpenStreamList {
        interface $Properties {
            shuffleKey?: (string|null);
            fileName?: (string[]|null);
            startIndex?: (number[]|null);
            endIndex?: (number[]|null);
            initialCredit?: (number[]|null);
            readLocalShuffle?: (boolean[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbOpenStreamList.$Properties;
    }

    interface IPbStreamHandlerOpt extends celeborn.PbStreamHandlerOpt.$Properties {
    }

    class PbStreamHandlerOpt {
        constructor(properties?: celeborn.PbStreamHandlerOpt.$Properties);
        $unknowns?: Uint8Array[];
        status: number;
        streamHandler?: (celeborn.PbStreamHandler.$Properties|null);
        errorMsg: string;
        static encode(message: celeborn.PbStreamHandlerOpt.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbStreamHandlerOpt & celeborn.PbStreamHandlerOpt.$Shape;
    }

    namespace PbStreamHandlerOpt {
        interface $Properties {
            status?: (number|null);
            streamHandler?: (celeborn.PbStreamHandler.$Properties|null);
            errorMsg?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbStreamHandlerOpt.$Properties;
    }

    interface IPbOpenStreamListResponse extends celeborn.PbOpenStreamListResponse.$Properties {
    }

    class PbOpenStreamListResponse {
        constructor(properties?: celeborn.PbOpenStreamListResponse.$Properties);
        $unknowns?: Uint8Array[];
        streamHandlerOpt: celeborn.PbStreamHandlerOpt.$Properties[];
        static encode(message: celeborn.PbOpenStreamListResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbOpenStreamListResponse & celeborn.PbOpenStreamListResponse.$Shape;
    }

    namespace PbOpenStreamListResponse {
        interface $Properties {
            streamHandlerOpt?: (celeborn.PbStreamHandlerOpt.$Properties[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbOpenStreamListResponse.$Properties;
    }

    interface IPbStreamChunkSlice extends celeborn.PbStreamChunkSlice.$Properties {
    }

    class PbStreamChunkSlice {
        constructor(properties?: celeborn.PbStreamChunkSlice.$Properties);
        $unknowns?: Uint8Array[];
        streamId: (number|Long);
        chunkIndex: number;
        offset: number;
        len: number;
        static encode(message: celeborn.PbStreamChunkSlice.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbStreamChunkSlice & celeborn.PbStreamChunkSlice.$Shape;
    }

    namespace PbStreamChunkSlice {
        interface $Properties {
            streamId?: (number|Long|null);
            chunkIndex?: (number|null);
            offset?: (number|null);
            len?: (number|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbStreamChunkSlice.$Properties;
    }

    interface IPbChunkFetchRequest extends celeborn.PbChunkFetchRequest.$Properties {
    }

    class PbChunkFetchRequest {
        constructor(properties?: celeborn.PbChunkFetchRequest.$Properties);
        $unknowns?: Uint8Array[];
        streamChunkSlice?: (celeborn.PbStreamChunkSlice.$Properties|null);
        static encode(message: celeborn.PbChunkFetchRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbChunkFetchRequest & celeborn.PbChunkFetchRequest.$Shape;
    }

    namespace PbChunkFetchRequest {
        interface $Properties {
            streamChunkSlice?: (celeborn.PbStreamChunkSlice.$Properties|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbChunkFetchRequest.$Properties;
    }

    interface IPbBufferStreamEnd extends celeborn.PbBufferStreamEnd.$Properties {
    }

    class PbBufferStreamEnd {
        constructor(properties?: celeborn.PbBufferStreamEnd.$Properties);
        $unknowns?: Uint8Array[];
        streamType: number;
        streamId: (number|Long);
        static encode(message: celeborn.PbBufferStreamEnd.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbBufferStreamEnd & celeborn.PbBufferStreamEnd.$Shape;
    }

    namespace PbBufferStreamEnd {
        interface $Properties {
            streamType?: (number|null);
            streamId?: (number|Long|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbBufferStreamEnd.$Properties;
    }

    interface IPbTransportableError extends celeborn.PbTransportableError.$Properties {
    }

    class PbTransportableError {
        constructor(properties?: celeborn.PbTransportableError.$Properties);
        $unknowns?: Uint8Array[];
        streamId: (number|Long);
        message: string;
        static encode(message: celeborn.PbTransportableError.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbTransportableError & celeborn.PbTransportableError.$Shape;
    }

    namespace PbTransportableError {
        interface $Properties {
            streamId?: (number|Long|null);
            message?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbTransportableError.$Properties;
    }

    interface IPbPushMergedDataSplitPartitionInfo extends celeborn.PbPushMergedDataSplitPartitionInfo.$Properties {
    }

    class PbPushMergedDataSplitPartitionInfo {
        constructor(properties?: celeborn.PbPushMergedDataSplitPartitionInfo.$Properties);
        $unknowns?: Uint8Array[];
        splitPartitionIndexes: number[];
        statusCodes: number[];
        static encode(message: celeborn.PbPushMergedDataSplitPartitionInfo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbPushMergedDataSplitPartitionInfo & celeborn.PbPushMergedDataSplitPartitionInfo.$Shape;
    }

    namespace PbPushMergedDataSplitPartitionInfo {
        interface $Properties {
            splitPartitionIndexes?: (number[]|null);
            statusCodes?: (number[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbPushMergedDataSplitPartitionInfo.$Properties;
    }

    interface IPbSaslMechanism extends celeborn.PbSaslMechanism.$Properties {
    }

    class PbSaslMechanism {
        constructor(properties?: celeborn.PbSaslMechanism.$Properties);
        $unknowns?: Uint8Array[];
        mechanism: string;
        authTypes: number[];
        static encode(message: celeborn.PbSaslMechanism.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbSaslMechanism & celeborn.PbSaslMechanism.$Shape;
    }

    namespace PbSaslMechanism {
        interface $Properties {
            mechanism?: (string|null);
            authTypes?: (number[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbSaslMechanism.$Properties;
    }

    interface IPbAuthenticationInitiationRequest extends celeborn.PbAuthenticationInitiationRequest.$Properties {
    }

    class PbAuthenticationInitiationRequest {
        constructor(properties?: celeborn.PbAuthenticationInitiationRequest.$Properties);
        $unknowns?: Uint8Array[];
        version: string;
        authEnabled: boolean;
        saslMechanisms: celeborn.PbSaslMechanism.$Properties[];
        static encode(message: celeborn.PbAuthenticationInitiationRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbAuthenticationInitiationRequest & celeborn.PbAuthenticationInitiationRequest.$Shape;
    }

    namespace PbAuthenticationInitiationRequest {
        interface $Properties {
            version?: (string|null);
            authEnabled?: (boolean|null);
            saslMechanisms?: (celeborn.PbSaslMechanism.$Properties[]|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbAuthenticationInitiationRequest.$Properties;
    }

    interface IPbSaslRequest extends celeborn.PbSaslRequest.$Properties {
    }

    class PbSaslRequest {
        constructor(properties?: celeborn.PbSaslRequest.$Properties);
        $unknowns?: Uint8Array[];
        method: string;
        authType: number;
        payload: Uint8Array;
        static encode(message: celeborn.PbSaslRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbSaslRequest & celeborn.PbSaslRequest.$Shape;
    }

    namespace PbSaslRequest {
        interface $Properties {
            method?: (string|null);
            authType?: (number|null);
            payload?: (Uint8Array|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbSaslRequest.$Properties;
    }

    interface IPbRegisterApplicationRequest extends celeborn.PbRegisterApplicationRequest.$Properties {
    }

    class PbRegisterApplicationRequest {
        constructor(properties?: celeborn.PbRegisterApplicationRequest.$Properties);
        $unknowns?: Uint8Array[];
        id: string;
        secret: string;
        static encode(message: celeborn.PbRegisterApplicationRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterApplicationRequest & celeborn.PbRegisterApplicationRequest.$Shape;
    }

    namespace PbRegisterApplicationRequest {
        interface $Properties {
            id?: (string|null);
            secret?: (string|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterApplicationRequest.$Properties;
    }

    interface IPbRegisterApplicationResponse extends celeborn.PbRegisterApplicationResponse.$Properties {
    }

    class PbRegisterApplicationResponse {
        constructor(properties?: celeborn.PbRegisterApplicationResponse.$Properties);
        $unknowns?: Uint8Array[];
        status: boolean;
        static encode(message: celeborn.PbRegisterApplicationResponse.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): celeborn.PbRegisterApplicationResponse & celeborn.PbRegisterApplicationResponse.$Shape;
    }

    namespace PbRegisterApplicationResponse {
        interface $Properties {
            status?: (boolean|null);
            $unknowns?: Uint8Array[];
        }
        type $Shape = celeborn.PbRegisterApplicationResponse.$Properties;
    }
}
