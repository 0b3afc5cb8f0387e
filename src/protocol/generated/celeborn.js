// Generated from proto/celeborn.proto by scripts/generate-proto.mjs. Do not edit.
/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
"use strict";

var $protobuf = require("protobufjs/minimal");

var $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
var $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

var $root = $protobuf.roots["celeborn-node"] || ($protobuf.roots["celeborn-node"] = {});

$root.celeborn = (function() {

    var celeborn = {};

    celeborn.PbUserIdentifier = (function() {

        var PbUserIdentifier = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbUserIdentifier.prototype.tenantId = "";
        PbUserIdentifier.prototype.name = "";

        PbUserIdentifier.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.tenantId != null && $Object.hasOwnProperty.call(message, "tenantId") && message.tenantId !== "")
                writer.uint32(10).string(message.tenantId);
            if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                writer.uint32(18).string(message.name);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbUserIdentifier.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbUserIdentifier();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.tenantId = value;
                        else
                            delete message.tenantId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.name = value;
                        else
                            delete message.name;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbUserIdentifier;
    })();

    celeborn.PbStorageInfo = (function() {

        var PbStorageInfo = function (properties) {
            this.chunkOffsets = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbStorageInfo.prototype.type = 0;
        PbStorageInfo.prototype.mountPoint = "";
        PbStorageInfo.prototype.finalResult = false;
        PbStorageInfo.prototype.filePath = "";
        PbStorageInfo.prototype.availableStorageTypes = 0;
        PbStorageInfo.prototype.fileSize = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbStorageInfo.prototype.chunkOffsets = $util.emptyArray;

        PbStorageInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
                writer.uint32(8).int32(message.type);
            if (message.mountPoint != null && $Object.hasOwnProperty.call(message, "mountPoint") && message.mountPoint !== "")
                writer.uint32(18).string(message.mountPoint);
            if (message.finalResult != null && $Object.hasOwnProperty.call(message, "finalResult") && message.finalResult !== false)
                writer.uint32(24).bool(message.finalResult);
            if (message.filePath != null && $Object.hasOwnProperty.call(message, "filePath") && message.filePath !== "")
                writer.uint32(34).string(message.filePath);
            if (message.availableStorageTypes != null && $Object.hasOwnProperty.call(message, "availableStorageTypes") && message.availableStorageTypes !== 0)
                writer.uint32(40).int32(message.availableStorageTypes);
            if (message.fileSize != null && $Object.hasOwnProperty.call(message, "fileSize") && (typeof message.fileSize === "object" ? message.fileSize.low || message.fileSize.high : message.fileSize !== 0))
                writer.uint32(48).int64(message.fileSize);
            if (message.chunkOffsets != null && message.chunkOffsets.length)
                writer.uint32(58).int64s(message.chunkOffsets);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbStorageInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbStorageInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.type = value;
                        else
                            delete message.type;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.mountPoint = value;
                        else
                            delete message.mountPoint;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.finalResult = value;
                        else
                            delete message.finalResult;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.filePath = value;
                        else
                            delete message.filePath;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.availableStorageTypes = value;
                        else
                            delete message.availableStorageTypes;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.fileSize = value;
                        else
                            delete message.fileSize;
                        continue;
                    }
                case 7: {
                        if (wireType === 2) {
                            if (!(message.chunkOffsets && message.chunkOffsets.length))
                                message.chunkOffsets = [];
                            reader.int64s(message.chunkOffsets);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.chunkOffsets && message.chunkOffsets.length))
                            message.chunkOffsets = [];
                        message.chunkOffsets.push(reader.int64());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbStorageInfo;
    })();

    celeborn.PbPartitionLocation = (function() {

        var PbPartitionLocation = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbPartitionLocation.prototype.mode = 0;
        PbPartitionLocation.prototype.id = 0;
        PbPartitionLocation.prototype.epoch = 0;
        PbPartitionLocation.prototype.host = "";
        PbPartitionLocation.prototype.rpcPort = 0;
        PbPartitionLocation.prototype.pushPort = 0;
        PbPartitionLocation.prototype.fetchPort = 0;
        PbPartitionLocation.prototype.replicatePort = 0;
        PbPartitionLocation.prototype.peer = null;
        PbPartitionLocation.prototype.storageInfo = null;
        PbPartitionLocation.prototype.mapIdBitmap = $util.newBuffer([]);

        PbPartitionLocation.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.mode != null && $Object.hasOwnProperty.call(message, "mode") && message.mode !== 0)
                writer.uint32(8).int32(message.mode);
            if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== 0)
                writer.uint32(16).int32(message.id);
            if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && message.epoch !== 0)
                writer.uint32(24).int32(message.epoch);
            if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
                writer.uint32(34).string(message.host);
            if (message.rpcPort != null && $Object.hasOwnProperty.call(message, "rpcPort") && message.rpcPort !== 0)
                writer.uint32(40).int32(message.rpcPort);
            if (message.pushPort != null && $Object.hasOwnProperty.call(message, "pushPort") && message.pushPort !== 0)
                writer.uint32(48).int32(message.pushPort);
            if (message.fetchPort != null && $Object.hasOwnProperty.call(message, "fetchPort") && message.fetchPort !== 0)
                writer.uint32(56).int32(message.fetchPort);
            if (message.replicatePort != null && $Object.hasOwnProperty.call(message, "replicatePort") && message.replicatePort !== 0)
                writer.uint32(64).int32(message.replicatePort);
            if (message.peer != null && $Object.hasOwnProperty.call(message, "peer"))
                $root.celeborn.PbPartitionLocation.encode(message.peer, writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.storageInfo != null && $Object.hasOwnProperty.call(message, "storageInfo"))
                $root.celeborn.PbStorageInfo.encode(message.storageInfo, writer.uint32(82).fork(), _depth + 1).ldelim();
            if (message.mapIdBitmap != null && $Object.hasOwnProperty.call(message, "mapIdBitmap") && message.mapIdBitmap.length)
                writer.uint32(90).bytes(message.mapIdBitmap);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbPartitionLocation.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbPartitionLocation();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.mode = value;
                        else
                            delete message.mode;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.id = value;
                        else
                            delete message.id;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.epoch = value;
                        else
                            delete message.epoch;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.host = value;
                        else
                            delete message.host;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.rpcPort = value;
                        else
                            delete message.rpcPort;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.pushPort = value;
                        else
                            delete message.pushPort;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fetchPort = value;
                        else
                            delete message.fetchPort;
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.replicatePort = value;
                        else
                            delete message.replicatePort;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.peer = $root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1, message.peer);
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        message.storageInfo = $root.celeborn.PbStorageInfo.decode(reader, reader.size(), $undefined, _depth + 1, message.storageInfo);
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.mapIdBitmap = value;
                        else
                            delete message.mapIdBitmap;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        PbPartitionLocation.Mode = (function() {
            var valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "Primary"] = 0;
            values[valuesById[1] = "Replica"] = 1;
            return values;
        })();

        return PbPartitionLocation;
    })();

    celeborn.PbDiskInfo = (function() {

        var PbDiskInfo = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbDiskInfo.prototype.mountPoint = "";
        PbDiskInfo.prototype.usableSpace = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbDiskInfo.prototype.avgFlushTime = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbDiskInfo.prototype.usedSlots = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbDiskInfo.prototype.status = 0;
        PbDiskInfo.prototype.avgFetchTime = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbDiskInfo.prototype.storageType = 0;
        PbDiskInfo.prototype.totalSpace = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbDiskInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.mountPoint != null && $Object.hasOwnProperty.call(message, "mountPoint") && message.mountPoint !== "")
                writer.uint32(10).string(message.mountPoint);
            if (message.usableSpace != null && $Object.hasOwnProperty.call(message, "usableSpace") && (typeof message.usableSpace === "object" ? message.usableSpace.low || message.usableSpace.high : message.usableSpace !== 0))
                writer.uint32(16).int64(message.usableSpace);
            if (message.avgFlushTime != null && $Object.hasOwnProperty.call(message, "avgFlushTime") && (typeof message.avgFlushTime === "object" ? message.avgFlushTime.low || message.avgFlushTime.high : message.avgFlushTime !== 0))
                writer.uint32(24).int64(message.avgFlushTime);
            if (message.usedSlots != null && $Object.hasOwnProperty.call(message, "usedSlots") && (typeof message.usedSlots === "object" ? message.usedSlots.low || message.usedSlots.high : message.usedSlots !== 0))
                writer.uint32(32).int64(message.usedSlots);
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(40).int32(message.status);
            if (message.avgFetchTime != null && $Object.hasOwnProperty.call(message, "avgFetchTime") && (typeof message.avgFetchTime === "object" ? message.avgFetchTime.low || message.avgFetchTime.high : message.avgFetchTime !== 0))
                writer.uint32(48).int64(message.avgFetchTime);
            if (message.storageType != null && $Object.hasOwnProperty.call(message, "storageType") && message.storageType !== 0)
                writer.uint32(56).int32(message.storageType);
            if (message.totalSpace != null && $Object.hasOwnProperty.call(message, "totalSpace") && (typeof message.totalSpace === "object" ? message.totalSpace.low || message.totalSpace.high : message.totalSpace !== 0))
                writer.uint32(64).int64(message.totalSpace);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbDiskInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbDiskInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.mountPoint = value;
                        else
                            delete message.mountPoint;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.usableSpace = value;
                        else
                            delete message.usableSpace;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.avgFlushTime = value;
                        else
                            delete message.avgFlushTime;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.usedSlots = value;
                        else
                            delete message.usedSlots;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.avgFetchTime = value;
                        else
                            delete message.avgFetchTime;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.storageType = value;
                        else
                            delete message.storageType;
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.totalSpace = value;
                        else
                            delete message.totalSpace;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbDiskInfo;
    })();

    celeborn.PbResourceConsumption = (function() {

        var PbResourceConsumption = function (properties) {
            this.subResourceConsumptions = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbResourceConsumption.prototype.diskBytesWritten = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbResourceConsumption.prototype.diskFileCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbResourceConsumption.prototype.hdfsBytesWritten = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbResourceConsumption.prototype.hdfsFileCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbResourceConsumption.prototype.subResourceConsumptions = $util.emptyObject;

        PbResourceConsumption.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.diskBytesWritten != null && $Object.hasOwnProperty.call(message, "diskBytesWritten") && (typeof message.diskBytesWritten === "object" ? message.diskBytesWritten.low || message.diskBytesWritten.high : message.diskBytesWritten !== 0))
                writer.uint32(8).int64(message.diskBytesWritten);
            if (message.diskFileCount != null && $Object.hasOwnProperty.call(message, "diskFileCount") && (typeof message.diskFileCount === "object" ? message.diskFileCount.low || message.diskFileCount.high : message.diskFileCount !== 0))
                writer.uint32(16).int64(message.diskFileCount);
            if (message.hdfsBytesWritten != null && $Object.hasOwnProperty.call(message, "hdfsBytesWritten") && (typeof message.hdfsBytesWritten === "object" ? message.hdfsBytesWritten.low || message.hdfsBytesWritten.high : message.hdfsBytesWritten !== 0))
                writer.uint32(24).int64(message.hdfsBytesWritten);
            if (message.hdfsFileCount != null && $Object.hasOwnProperty.call(message, "hdfsFileCount") && (typeof message.hdfsFileCount === "object" ? message.hdfsFileCount.low || message.hdfsFileCount.high : message.hdfsFileCount !== 0))
                writer.uint32(32).int64(message.hdfsFileCount);
            if (message.subResourceConsumptions != null && $Object.hasOwnProperty.call(message, "subResourceConsumptions"))
                for (var keys = $Object.keys(message.subResourceConsumptions), i = 0; i < keys.length; ++i) {
                    writer.uint32(42).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbResourceConsumption.encode(message.subResourceConsumptions[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbResourceConsumption.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbResourceConsumption();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.diskBytesWritten = value;
                        else
                            delete message.diskBytesWritten;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.diskFileCount = value;
                        else
                            delete message.diskFileCount;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.hdfsBytesWritten = value;
                        else
                            delete message.hdfsBytesWritten;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.hdfsFileCount = value;
                        else
                            delete message.hdfsFileCount;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (message.subResourceConsumptions === $util.emptyObject)
                            message.subResourceConsumptions = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbResourceConsumption.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.subResourceConsumptions, key);
                        message.subResourceConsumptions[key] = value || new $root.celeborn.PbResourceConsumption();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbResourceConsumption;
    })();

    celeborn.PbWorkerInfo = (function() {

        var PbWorkerInfo = function (properties) {
            this.disks = [];
            this.userResourceConsumption = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbWorkerInfo.prototype.host = "";
        PbWorkerInfo.prototype.rpcPort = 0;
        PbWorkerInfo.prototype.pushPort = 0;
        PbWorkerInfo.prototype.fetchPort = 0;
        PbWorkerInfo.prototype.replicatePort = 0;
        PbWorkerInfo.prototype.disks = $util.emptyArray;
        PbWorkerInfo.prototype.userResourceConsumption = $util.emptyObject;
        PbWorkerInfo.prototype.internalPort = 0;
        PbWorkerInfo.prototype.networkLocation = "";
        PbWorkerInfo.prototype.nextInterruptionNotice = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbWorkerInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
                writer.uint32(10).string(message.host);
            if (message.rpcPort != null && $Object.hasOwnProperty.call(message, "rpcPort") && message.rpcPort !== 0)
                writer.uint32(16).int32(message.rpcPort);
            if (message.pushPort != null && $Object.hasOwnProperty.call(message, "pushPort") && message.pushPort !== 0)
                writer.uint32(24).int32(message.pushPort);
            if (message.fetchPort != null && $Object.hasOwnProperty.call(message, "fetchPort") && message.fetchPort !== 0)
                writer.uint32(32).int32(message.fetchPort);
            if (message.replicatePort != null && $Object.hasOwnProperty.call(message, "replicatePort") && message.replicatePort !== 0)
                writer.uint32(40).int32(message.replicatePort);
            if (message.disks != null && message.disks.length)
                for (var i = 0; i < message.disks.length; ++i)
                    $root.celeborn.PbDiskInfo.encode(message.disks[i], writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.userResourceConsumption != null && $Object.hasOwnProperty.call(message, "userResourceConsumption"))
                for (var keys = $Object.keys(message.userResourceConsumption), i = 0; i < keys.length; ++i) {
                    writer.uint32(58).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbResourceConsumption.encode(message.userResourceConsumption[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.internalPort != null && $Object.hasOwnProperty.call(message, "internalPort") && message.internalPort !== 0)
                writer.uint32(64).int32(message.internalPort);
            if (message.networkLocation != null && $Object.hasOwnProperty.call(message, "networkLocation") && message.networkLocation !== "")
                writer.uint32(74).string(message.networkLocation);
            if (message.nextInterruptionNotice != null && $Object.hasOwnProperty.call(message, "nextInterruptionNotice") && (typeof message.nextInterruptionNotice === "object" ? message.nextInterruptionNotice.low || message.nextInterruptionNotice.high : message.nextInterruptionNotice !== 0))
                writer.uint32(80).int64(message.nextInterruptionNotice);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbWorkerInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbWorkerInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.host = value;
                        else
                            delete message.host;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.rpcPort = value;
                        else
                            delete message.rpcPort;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.pushPort = value;
                        else
                            delete message.pushPort;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fetchPort = value;
                        else
                            delete message.fetchPort;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.replicatePort = value;
                        else
                            delete message.replicatePort;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (!(message.disks && message.disks.length))
                            message.disks = [];
                        message.disks.push($root.celeborn.PbDiskInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (message.userResourceConsumption === $util.emptyObject)
                            message.userResourceConsumption = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbResourceConsumption.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.userResourceConsumption, key);
                        message.userResourceConsumption[key] = value || new $root.celeborn.PbResourceConsumption();
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.internalPort = value;
                        else
                            delete message.internalPort;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.networkLocation = value;
                        else
                            delete message.networkLocation;
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.nextInterruptionNotice = value;
                        else
                            delete message.nextInterruptionNotice;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbWorkerInfo;
    })();

    celeborn.PbWorkerResource = (function() {

        var PbWorkerResource = function (properties) {
            this.primaryPartitions = [];
            this.replicaPartitions = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbWorkerResource.prototype.primaryPartitions = $util.emptyArray;
        PbWorkerResource.prototype.replicaPartitions = $util.emptyArray;
        PbWorkerResource.prototype.networkLocation = "";

        PbWorkerResource.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.primaryPartitions != null && message.primaryPartitions.length)
                for (var i = 0; i < message.primaryPartitions.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.primaryPartitions[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.replicaPartitions != null && message.replicaPartitions.length)
                for (var i = 0; i < message.replicaPartitions.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.replicaPartitions[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.networkLocation != null && $Object.hasOwnProperty.call(message, "networkLocation") && message.networkLocation !== "")
                writer.uint32(26).string(message.networkLocation);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbWorkerResource.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbWorkerResource();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.primaryPartitions && message.primaryPartitions.length))
                            message.primaryPartitions = [];
                        message.primaryPartitions.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.replicaPartitions && message.replicaPartitions.length))
                            message.replicaPartitions = [];
                        message.replicaPartitions.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.networkLocation = value;
                        else
                            delete message.networkLocation;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbWorkerResource;
    })();

    celeborn.PbChunkOffsets = (function() {

        var PbChunkOffsets = function (properties) {
            this.chunkOffset = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbChunkOffsets.prototype.chunkOffset = $util.emptyArray;

        PbChunkOffsets.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.chunkOffset != null && message.chunkOffset.length)
                writer.uint32(10).int64s(message.chunkOffset);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbChunkOffsets.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbChunkOffsets();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.chunkOffset && message.chunkOffset.length))
                                message.chunkOffset = [];
                            reader.int64s(message.chunkOffset);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.chunkOffset && message.chunkOffset.length))
                            message.chunkOffset = [];
                        message.chunkOffset.push(reader.int64());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbChunkOffsets;
    })();

    celeborn.PbPackedPartitionLocations = (function() {

        var PbPackedPartitionLocations = function (properties) {
            this.ids = [];
            this.epoches = [];
            this.workerIds = [];
            this.workerIdsSet = [];
            this.mapIdBitMap = [];
            this.types = [];
            this.mountPoints = [];
            this.mountPointsSet = [];
            this.finalResult = [];
            this.filePaths = [];
            this.availableStorageTypes = [];
            this.modes = [];
            this.fileSizes = [];
            this.chunksOffsets = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbPackedPartitionLocations.prototype.ids = $util.emptyArray;
        PbPackedPartitionLocations.prototype.epoches = $util.emptyArray;
        PbPackedPartitionLocations.prototype.workerIds = $util.emptyArray;
        PbPackedPartitionLocations.prototype.workerIdsSet = $util.emptyArray;
        PbPackedPartitionLocations.prototype.mapIdBitMap = $util.emptyArray;
        PbPackedPartitionLocations.prototype.types = $util.emptyArray;
        PbPackedPartitionLocations.prototype.mountPoints = $util.emptyArray;
        PbPackedPartitionLocations.prototype.mountPointsSet = $util.emptyArray;
        PbPackedPartitionLocations.prototype.finalResult = $util.emptyArray;
        PbPackedPartitionLocations.prototype.filePaths = $util.emptyArray;
        PbPackedPartitionLocations.prototype.availableStorageTypes = $util.emptyArray;
        PbPackedPartitionLocations.prototype.modes = $util.emptyArray;
        PbPackedPartitionLocations.prototype.fileSizes = $util.emptyArray;
        PbPackedPartitionLocations.prototype.chunksOffsets = $util.emptyArray;

        PbPackedPartitionLocations.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.ids != null && message.ids.length)
                writer.uint32(10).int32s(message.ids);
            if (message.epoches != null && message.epoches.length)
                writer.uint32(18).int32s(message.epoches);
            if (message.workerIds != null && message.workerIds.length)
                writer.uint32(26).int32s(message.workerIds);
            if (message.workerIdsSet != null && message.workerIdsSet.length)
                for (var i = 0; i < message.workerIdsSet.length; ++i)
                    writer.uint32(34).string(message.workerIdsSet[i]);
            if (message.mapIdBitMap != null && message.mapIdBitMap.length)
                for (var i = 0; i < message.mapIdBitMap.length; ++i)
                    writer.uint32(42).bytes(message.mapIdBitMap[i]);
            if (message.types != null && message.types.length)
                writer.uint32(50).int32s(message.types);
            if (message.mountPoints != null && message.mountPoints.length)
                writer.uint32(58).int32s(message.mountPoints);
            if (message.mountPointsSet != null && message.mountPointsSet.length)
                for (var i = 0; i < message.mountPointsSet.length; ++i)
                    writer.uint32(66).string(message.mountPointsSet[i]);
            if (message.finalResult != null && message.finalResult.length)
                writer.uint32(74).bools(message.finalResult);
            if (message.filePaths != null && message.filePaths.length)
                for (var i = 0; i < message.filePaths.length; ++i)
                    writer.uint32(82).string(message.filePaths[i]);
            if (message.availableStorageTypes != null && message.availableStorageTypes.length)
                writer.uint32(90).int32s(message.availableStorageTypes);
            if (message.modes != null && message.modes.length)
                writer.uint32(98).int32s(message.modes);
            if (message.fileSizes != null && message.fileSizes.length)
                writer.uint32(106).int64s(message.fileSizes);
            if (message.chunksOffsets != null && message.chunksOffsets.length)
                for (var i = 0; i < message.chunksOffsets.length; ++i)
                    $root.celeborn.PbChunkOffsets.encode(message.chunksOffsets[i], writer.uint32(114).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbPackedPartitionLocations.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbPackedPartitionLocations();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.ids && message.ids.length))
                                message.ids = [];
                            reader.int32s(message.ids);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.ids && message.ids.length))
                            message.ids = [];
                        message.ids.push(reader.int32());
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.epoches && message.epoches.length))
                                message.epoches = [];
                            reader.int32s(message.epoches);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.epoches && message.epoches.length))
                            message.epoches = [];
                        message.epoches.push(reader.int32());
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.workerIds && message.workerIds.length))
                                message.workerIds = [];
                            reader.int32s(message.workerIds);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.workerIds && message.workerIds.length))
                            message.workerIds = [];
                        message.workerIds.push(reader.int32());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.workerIdsSet && message.workerIdsSet.length))
                            message.workerIdsSet = [];
                        message.workerIdsSet.push(reader.stringVerify());
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (!(message.mapIdBitMap && message.mapIdBitMap.length))
                            message.mapIdBitMap = [];
                        message.mapIdBitMap.push(reader.bytes());
                        continue;
                    }
                case 6: {
                        if (wireType === 2) {
                            if (!(message.types && message.types.length))
                                message.types = [];
                            reader.int32s(message.types);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.types && message.types.length))
                            message.types = [];
                        message.types.push(reader.int32());
                        continue;
                    }
                case 7: {
                        if (wireType === 2) {
                            if (!(message.mountPoints && message.mountPoints.length))
                                message.mountPoints = [];
                            reader.int32s(message.mountPoints);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.mountPoints && message.mountPoints.length))
                            message.mountPoints = [];
                        message.mountPoints.push(reader.int32());
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        if (!(message.mountPointsSet && message.mountPointsSet.length))
                            message.mountPointsSet = [];
                        message.mountPointsSet.push(reader.stringVerify());
                        continue;
                    }
                case 9: {
                        if (wireType === 2) {
                            if (!(message.finalResult && message.finalResult.length))
                                message.finalResult = [];
                            reader.bools(message.finalResult);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.finalResult && message.finalResult.length))
                            message.finalResult = [];
                        message.finalResult.push(reader.bool());
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if (!(message.filePaths && message.filePaths.length))
                            message.filePaths = [];
                        message.filePaths.push(reader.stringVerify());
                        continue;
                    }
                case 11: {
                        if (wireType === 2) {
                            if (!(message.availableStorageTypes && message.availableStorageTypes.length))
                                message.availableStorageTypes = [];
                            reader.int32s(message.availableStorageTypes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.availableStorageTypes && message.availableStorageTypes.length))
                            message.availableStorageTypes = [];
                        message.availableStorageTypes.push(reader.int32());
                        continue;
                    }
                case 12: {
                        if (wireType === 2) {
                            if (!(message.modes && message.modes.length))
                                message.modes = [];
                            reader.int32s(message.modes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.modes && message.modes.length))
                            message.modes = [];
                        message.modes.push(reader.int32());
                        continue;
                    }
                case 13: {
                        if (wireType === 2) {
                            if (!(message.fileSizes && message.fileSizes.length))
                                message.fileSizes = [];
                            reader.int64s(message.fileSizes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.fileSizes && message.fileSizes.length))
                            message.fileSizes = [];
                        message.fileSizes.push(reader.int64());
                        continue;
                    }
                case 14: {
                        if (wireType !== 2)
                            break;
                        if (!(message.chunksOffsets && message.chunksOffsets.length))
                            message.chunksOffsets = [];
                        message.chunksOffsets.push($root.celeborn.PbChunkOffsets.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbPackedPartitionLocations;
    })();

    celeborn.PbPackedPartitionLocationsPair = (function() {

        var PbPackedPartitionLocationsPair = function (properties) {
            this.peerIndexes = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbPackedPartitionLocationsPair.prototype.locations = null;
        PbPackedPartitionLocationsPair.prototype.peerIndexes = $util.emptyArray;
        PbPackedPartitionLocationsPair.prototype.inputLocationSize = 0;

        PbPackedPartitionLocationsPair.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.locations != null && $Object.hasOwnProperty.call(message, "locations"))
                $root.celeborn.PbPackedPartitionLocations.encode(message.locations, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.peerIndexes != null && message.peerIndexes.length)
                writer.uint32(18).int32s(message.peerIndexes);
            if (message.inputLocationSize != null && $Object.hasOwnProperty.call(message, "inputLocationSize") && message.inputLocationSize !== 0)
                writer.uint32(24).int32(message.inputLocationSize);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbPackedPartitionLocationsPair.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbPackedPartitionLocationsPair();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.locations = $root.celeborn.PbPackedPartitionLocations.decode(reader, reader.size(), $undefined, _depth + 1, message.locations);
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.peerIndexes && message.peerIndexes.length))
                                message.peerIndexes = [];
                            reader.int32s(message.peerIndexes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.peerIndexes && message.peerIndexes.length))
                            message.peerIndexes = [];
                        message.peerIndexes.push(reader.int32());
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.inputLocationSize = value;
                        else
                            delete message.inputLocationSize;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbPackedPartitionLocationsPair;
    })();

    celeborn.PbPackedWorkerResource = (function() {

        var PbPackedWorkerResource = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbPackedWorkerResource.prototype.locationPairs = null;
        PbPackedWorkerResource.prototype.networkLocation = "";

        PbPackedWorkerResource.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.locationPairs != null && $Object.hasOwnProperty.call(message, "locationPairs"))
                $root.celeborn.PbPackedPartitionLocationsPair.encode(message.locationPairs, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.networkLocation != null && $Object.hasOwnProperty.call(message, "networkLocation") && message.networkLocation !== "")
                writer.uint32(18).string(message.networkLocation);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbPackedWorkerResource.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbPackedWorkerResource();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.locationPairs = $root.celeborn.PbPackedPartitionLocationsPair.decode(reader, reader.size(), $undefined, _depth + 1, message.locationPairs);
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.networkLocation = value;
                        else
                            delete message.networkLocation;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbPackedWorkerResource;
    })();

    celeborn.PbFailedBatches = (function() {

        var PbFailedBatches = function (properties) {
            this.failedBatches = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbFailedBatches.prototype.failedBatches = $util.emptyArray;

        PbFailedBatches.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.failedBatches != null && message.failedBatches.length)
                writer.uint32(10).int32s(message.failedBatches);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbFailedBatches.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbFailedBatches();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.failedBatches && message.failedBatches.length))
                                message.failedBatches = [];
                            reader.int32s(message.failedBatches);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.failedBatches && message.failedBatches.length))
                            message.failedBatches = [];
                        message.failedBatches.push(reader.int32());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbFailedBatches;
    })();

    celeborn.PbLocationPushFailedBatches = (function() {

        var PbLocationPushFailedBatches = function (properties) {
            this.failedBatches = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbLocationPushFailedBatches.prototype.failedBatches = $util.emptyObject;

        PbLocationPushFailedBatches.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.failedBatches != null && $Object.hasOwnProperty.call(message, "failedBatches"))
                for (var keys = $Object.keys(message.failedBatches), i = 0; i < keys.length; ++i) {
                    writer.uint32(10).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbFailedBatches.encode(message.failedBatches[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbLocationPushFailedBatches.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbLocationPushFailedBatches();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (message.failedBatches === $util.emptyObject)
                            message.failedBatches = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbFailedBatches.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.failedBatches, key);
                        message.failedBatches[key] = value || new $root.celeborn.PbFailedBatches();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbLocationPushFailedBatches;
    })();

    celeborn.PbStatusResponse = (function() {

        var PbStatusResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbStatusResponse.prototype.status = 0;

        PbStatusResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbStatusResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbStatusResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbStatusResponse;
    })();

    celeborn.PbRegisterShuffle = (function() {

        var PbRegisterShuffle = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterShuffle.prototype.shuffleId = 0;
        PbRegisterShuffle.prototype.numMappers = 0;
        PbRegisterShuffle.prototype.numPartitions = 0;

        PbRegisterShuffle.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.numMappers != null && $Object.hasOwnProperty.call(message, "numMappers") && message.numMappers !== 0)
                writer.uint32(16).int32(message.numMappers);
            if (message.numPartitions != null && $Object.hasOwnProperty.call(message, "numPartitions") && message.numPartitions !== 0)
                writer.uint32(24).int32(message.numPartitions);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterShuffle.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterShuffle();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.numMappers = value;
                        else
                            delete message.numMappers;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.numPartitions = value;
                        else
                            delete message.numPartitions;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterShuffle;
    })();

    celeborn.PbRegisterShuffleResponse = (function() {

        var PbRegisterShuffleResponse = function (properties) {
            this.partitionLocations = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterShuffleResponse.prototype.status = 0;
        PbRegisterShuffleResponse.prototype.partitionLocations = $util.emptyArray;
        PbRegisterShuffleResponse.prototype.packedPartitionLocationsPair = null;
        PbRegisterShuffleResponse.prototype.errorMsg = "";

        PbRegisterShuffleResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.partitionLocations != null && message.partitionLocations.length)
                for (var i = 0; i < message.partitionLocations.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.partitionLocations[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.packedPartitionLocationsPair != null && $Object.hasOwnProperty.call(message, "packedPartitionLocationsPair"))
                $root.celeborn.PbPackedPartitionLocationsPair.encode(message.packedPartitionLocationsPair, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.errorMsg != null && $Object.hasOwnProperty.call(message, "errorMsg") && message.errorMsg !== "")
                writer.uint32(80802).string(message.errorMsg);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterShuffleResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterShuffleResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.partitionLocations && message.partitionLocations.length))
                            message.partitionLocations = [];
                        message.partitionLocations.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.packedPartitionLocationsPair = $root.celeborn.PbPackedPartitionLocationsPair.decode(reader, reader.size(), $undefined, _depth + 1, message.packedPartitionLocationsPair);
                        continue;
                    }
                case 10100: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.errorMsg = value;
                        else
                            delete message.errorMsg;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterShuffleResponse;
    })();

    celeborn.PbRevivePartitionInfo = (function() {

        var PbRevivePartitionInfo = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRevivePartitionInfo.prototype.partitionId = 0;
        PbRevivePartitionInfo.prototype.epoch = 0;
        PbRevivePartitionInfo.prototype.partition = null;
        PbRevivePartitionInfo.prototype.status = 0;

        PbRevivePartitionInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.partitionId != null && $Object.hasOwnProperty.call(message, "partitionId") && message.partitionId !== 0)
                writer.uint32(8).int32(message.partitionId);
            if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && message.epoch !== 0)
                writer.uint32(16).int32(message.epoch);
            if (message.partition != null && $Object.hasOwnProperty.call(message, "partition"))
                $root.celeborn.PbPartitionLocation.encode(message.partition, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(32).int32(message.status);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRevivePartitionInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRevivePartitionInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.partitionId = value;
                        else
                            delete message.partitionId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.epoch = value;
                        else
                            delete message.epoch;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.partition = $root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1, message.partition);
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRevivePartitionInfo;
    })();

    celeborn.PbRevive = (function() {

        var PbRevive = function (properties) {
            this.mapId = [];
            this.partitionInfo = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRevive.prototype.shuffleId = 0;
        PbRevive.prototype.mapId = $util.emptyArray;
        PbRevive.prototype.partitionInfo = $util.emptyArray;

        PbRevive.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.mapId != null && message.mapId.length)
                writer.uint32(18).int32s(message.mapId);
            if (message.partitionInfo != null && message.partitionInfo.length)
                for (var i = 0; i < message.partitionInfo.length; ++i)
                    $root.celeborn.PbRevivePartitionInfo.encode(message.partitionInfo[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRevive.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRevive();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.mapId && message.mapId.length))
                                message.mapId = [];
                            reader.int32s(message.mapId);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.mapId && message.mapId.length))
                            message.mapId = [];
                        message.mapId.push(reader.int32());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.partitionInfo && message.partitionInfo.length))
                            message.partitionInfo = [];
                        message.partitionInfo.push($root.celeborn.PbRevivePartitionInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRevive;
    })();

    celeborn.PbChangeLocationPartitionInfo = (function() {

        var PbChangeLocationPartitionInfo = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbChangeLocationPartitionInfo.prototype.partitionId = 0;
        PbChangeLocationPartitionInfo.prototype.status = 0;
        PbChangeLocationPartitionInfo.prototype.partition = null;
        PbChangeLocationPartitionInfo.prototype.oldAvailable = false;

        PbChangeLocationPartitionInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.partitionId != null && $Object.hasOwnProperty.call(message, "partitionId") && message.partitionId !== 0)
                writer.uint32(8).int32(message.partitionId);
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(16).int32(message.status);
            if (message.partition != null && $Object.hasOwnProperty.call(message, "partition"))
                $root.celeborn.PbPartitionLocation.encode(message.partition, writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.oldAvailable != null && $Object.hasOwnProperty.call(message, "oldAvailable") && message.oldAvailable !== false)
                writer.uint32(32).bool(message.oldAvailable);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbChangeLocationPartitionInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbChangeLocationPartitionInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.partitionId = value;
                        else
                            delete message.partitionId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        message.partition = $root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1, message.partition);
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.oldAvailable = value;
                        else
                            delete message.oldAvailable;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbChangeLocationPartitionInfo;
    })();

    celeborn.PbChangeLocationResponse = (function() {

        var PbChangeLocationResponse = function (properties) {
            this.endedMapId = [];
            this.partitionInfo = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbChangeLocationResponse.prototype.endedMapId = $util.emptyArray;
        PbChangeLocationResponse.prototype.partitionInfo = $util.emptyArray;

        PbChangeLocationResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.endedMapId != null && message.endedMapId.length)
                writer.uint32(10).int32s(message.endedMapId);
            if (message.partitionInfo != null && message.partitionInfo.length)
                for (var i = 0; i < message.partitionInfo.length; ++i)
                    $root.celeborn.PbChangeLocationPartitionInfo.encode(message.partitionInfo[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbChangeLocationResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbChangeLocationResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.endedMapId && message.endedMapId.length))
                                message.endedMapId = [];
                            reader.int32s(message.endedMapId);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.endedMapId && message.endedMapId.length))
                            message.endedMapId = [];
                        message.endedMapId.push(reader.int32());
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.partitionInfo && message.partitionInfo.length))
                            message.partitionInfo = [];
                        message.partitionInfo.push($root.celeborn.PbChangeLocationPartitionInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbChangeLocationResponse;
    })();

    celeborn.PbMapperEnd = (function() {

        var PbMapperEnd = function (properties) {
            this.pushFailureBatches = {};
            this.crc32PerPartition = [];
            this.bytesWrittenPerPartition = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbMapperEnd.prototype.shuffleId = 0;
        PbMapperEnd.prototype.mapId = 0;
        PbMapperEnd.prototype.attemptId = 0;
        PbMapperEnd.prototype.numMappers = 0;
        PbMapperEnd.prototype.partitionId = 0;
        PbMapperEnd.prototype.pushFailureBatches = $util.emptyObject;
        PbMapperEnd.prototype.numPartitions = 0;
        PbMapperEnd.prototype.crc32PerPartition = $util.emptyArray;
        PbMapperEnd.prototype.bytesWrittenPerPartition = $util.emptyArray;

        PbMapperEnd.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.mapId != null && $Object.hasOwnProperty.call(message, "mapId") && message.mapId !== 0)
                writer.uint32(16).int32(message.mapId);
            if (message.attemptId != null && $Object.hasOwnProperty.call(message, "attemptId") && message.attemptId !== 0)
                writer.uint32(24).int32(message.attemptId);
            if (message.numMappers != null && $Object.hasOwnProperty.call(message, "numMappers") && message.numMappers !== 0)
                writer.uint32(32).int32(message.numMappers);
            if (message.partitionId != null && $Object.hasOwnProperty.call(message, "partitionId") && message.partitionId !== 0)
                writer.uint32(40).int32(message.partitionId);
            if (message.pushFailureBatches != null && $Object.hasOwnProperty.call(message, "pushFailureBatches"))
                for (var keys = $Object.keys(message.pushFailureBatches), i = 0; i < keys.length; ++i) {
                    writer.uint32(50).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbLocationPushFailedBatches.encode(message.pushFailureBatches[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.numPartitions != null && $Object.hasOwnProperty.call(message, "numPartitions") && message.numPartitions !== 0)
                writer.uint32(56).int32(message.numPartitions);
            if (message.crc32PerPartition != null && message.crc32PerPartition.length)
                writer.uint32(66).int32s(message.crc32PerPartition);
            if (message.bytesWrittenPerPartition != null && message.bytesWrittenPerPartition.length)
                writer.uint32(74).int64s(message.bytesWrittenPerPartition);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbMapperEnd.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbMapperEnd();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.mapId = value;
                        else
                            delete message.mapId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.attemptId = value;
                        else
                            delete message.attemptId;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.numMappers = value;
                        else
                            delete message.numMappers;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.partitionId = value;
                        else
                            delete message.partitionId;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (message.pushFailureBatches === $util.emptyObject)
                            message.pushFailureBatches = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbLocationPushFailedBatches.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.pushFailureBatches, key);
                        message.pushFailureBatches[key] = value || new $root.celeborn.PbLocationPushFailedBatches();
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.numPartitions = value;
                        else
                            delete message.numPartitions;
                        continue;
                    }
                case 8: {
                        if (wireType === 2) {
                            if (!(message.crc32PerPartition && message.crc32PerPartition.length))
                                message.crc32PerPartition = [];
                            reader.int32s(message.crc32PerPartition);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.crc32PerPartition && message.crc32PerPartition.length))
                            message.crc32PerPartition = [];
                        message.crc32PerPartition.push(reader.int32());
                        continue;
                    }
                case 9: {
                        if (wireType === 2) {
                            if (!(message.bytesWrittenPerPartition && message.bytesWrittenPerPartition.length))
                                message.bytesWrittenPerPartition = [];
                            reader.int64s(message.bytesWrittenPerPartition);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.bytesWrittenPerPartition && message.bytesWrittenPerPartition.length))
                            message.bytesWrittenPerPartition = [];
                        message.bytesWrittenPerPartition.push(reader.int64());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbMapperEnd;
    })();

    celeborn.PbGetReducerFileGroup = (function() {

        var PbGetReducerFileGroup = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetReducerFileGroup.prototype.shuffleId = 0;
        PbGetReducerFileGroup.prototype.isSegmentGranularityVisible = false;

        PbGetReducerFileGroup.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.isSegmentGranularityVisible != null && $Object.hasOwnProperty.call(message, "isSegmentGranularityVisible") && message.isSegmentGranularityVisible !== false)
                writer.uint32(16).bool(message.isSegmentGranularityVisible);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetReducerFileGroup.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetReducerFileGroup();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.isSegmentGranularityVisible = value;
                        else
                            delete message.isSegmentGranularityVisible;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetReducerFileGroup;
    })();

    celeborn.PbFileGroup = (function() {

        var PbFileGroup = function (properties) {
            this.locations = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbFileGroup.prototype.locations = $util.emptyArray;
        PbFileGroup.prototype.partitionLocationsPair = null;

        PbFileGroup.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.locations != null && message.locations.length)
                for (var i = 0; i < message.locations.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.locations[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.partitionLocationsPair != null && $Object.hasOwnProperty.call(message, "partitionLocationsPair"))
                $root.celeborn.PbPackedPartitionLocationsPair.encode(message.partitionLocationsPair, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbFileGroup.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbFileGroup();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.locations && message.locations.length))
                            message.locations = [];
                        message.locations.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.partitionLocationsPair = $root.celeborn.PbPackedPartitionLocationsPair.decode(reader, reader.size(), $undefined, _depth + 1, message.partitionLocationsPair);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbFileGroup;
    })();

    celeborn.PbGetReducerFileGroupResponse = (function() {

        var PbGetReducerFileGroupResponse = function (properties) {
            this.fileGroups = {};
            this.attempts = [];
            this.partitionIds = [];
            this.pushFailedBatches = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetReducerFileGroupResponse.prototype.status = 0;
        PbGetReducerFileGroupResponse.prototype.fileGroups = $util.emptyObject;
        PbGetReducerFileGroupResponse.prototype.attempts = $util.emptyArray;
        PbGetReducerFileGroupResponse.prototype.partitionIds = $util.emptyArray;
        PbGetReducerFileGroupResponse.prototype.pushFailedBatches = $util.emptyObject;
        PbGetReducerFileGroupResponse.prototype.broadcast = $util.newBuffer([]);
        PbGetReducerFileGroupResponse.prototype.errorMsg = "";

        PbGetReducerFileGroupResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.fileGroups != null && $Object.hasOwnProperty.call(message, "fileGroups"))
                for (var keys = $Object.keys(message.fileGroups), i = 0; i < keys.length; ++i) {
                    writer.uint32(18).fork().uint32(8).int32(keys[i]);
                    $root.celeborn.PbFileGroup.encode(message.fileGroups[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.attempts != null && message.attempts.length)
                writer.uint32(26).int32s(message.attempts);
            if (message.partitionIds != null && message.partitionIds.length)
                writer.uint32(34).int32s(message.partitionIds);
            if (message.pushFailedBatches != null && $Object.hasOwnProperty.call(message, "pushFailedBatches"))
                for (var keys = $Object.keys(message.pushFailedBatches), i = 0; i < keys.length; ++i) {
                    writer.uint32(42).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbLocationPushFailedBatches.encode(message.pushFailedBatches[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.broadcast != null && $Object.hasOwnProperty.call(message, "broadcast") && message.broadcast.length)
                writer.uint32(50).bytes(message.broadcast);
            if (message.errorMsg != null && $Object.hasOwnProperty.call(message, "errorMsg") && message.errorMsg !== "")
                writer.uint32(80802).string(message.errorMsg);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetReducerFileGroupResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetReducerFileGroupResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (message.fileGroups === $util.emptyObject)
                            message.fileGroups = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = 0;
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 0)
                                    break;
                                key = reader.int32();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbFileGroup.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        message.fileGroups[key] = value || new $root.celeborn.PbFileGroup();
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.attempts && message.attempts.length))
                                message.attempts = [];
                            reader.int32s(message.attempts);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.attempts && message.attempts.length))
                            message.attempts = [];
                        message.attempts.push(reader.int32());
                        continue;
                    }
                case 4: {
                        if (wireType === 2) {
                            if (!(message.partitionIds && message.partitionIds.length))
                                message.partitionIds = [];
                            reader.int32s(message.partitionIds);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.partitionIds && message.partitionIds.length))
                            message.partitionIds = [];
                        message.partitionIds.push(reader.int32());
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (message.pushFailedBatches === $util.emptyObject)
                            message.pushFailedBatches = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbLocationPushFailedBatches.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.pushFailedBatches, key);
                        message.pushFailedBatches[key] = value || new $root.celeborn.PbLocationPushFailedBatches();
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.broadcast = value;
                        else
                            delete message.broadcast;
                        continue;
                    }
                case 10100: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.errorMsg = value;
                        else
                            delete message.errorMsg;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetReducerFileGroupResponse;
    })();

    celeborn.PbGetShuffleId = (function() {

        var PbGetShuffleId = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetShuffleId.prototype.appShuffleId = 0;
        PbGetShuffleId.prototype.appShuffleIdentifier = "";
        PbGetShuffleId.prototype.isShuffleWriter = false;
        PbGetShuffleId.prototype.isBarrierStage = false;

        PbGetShuffleId.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appShuffleId != null && $Object.hasOwnProperty.call(message, "appShuffleId") && message.appShuffleId !== 0)
                writer.uint32(8).int32(message.appShuffleId);
            if (message.appShuffleIdentifier != null && $Object.hasOwnProperty.call(message, "appShuffleIdentifier") && message.appShuffleIdentifier !== "")
                writer.uint32(18).string(message.appShuffleIdentifier);
            if (message.isShuffleWriter != null && $Object.hasOwnProperty.call(message, "isShuffleWriter") && message.isShuffleWriter !== false)
                writer.uint32(24).bool(message.isShuffleWriter);
            if (message.isBarrierStage != null && $Object.hasOwnProperty.call(message, "isBarrierStage") && message.isBarrierStage !== false)
                writer.uint32(32).bool(message.isBarrierStage);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetShuffleId.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetShuffleId();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.appShuffleId = value;
                        else
                            delete message.appShuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appShuffleIdentifier = value;
                        else
                            delete message.appShuffleIdentifier;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.isShuffleWriter = value;
                        else
                            delete message.isShuffleWriter;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.isBarrierStage = value;
                        else
                            delete message.isBarrierStage;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetShuffleId;
    })();

    celeborn.PbGetShuffleIdResponse = (function() {

        var PbGetShuffleIdResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetShuffleIdResponse.prototype.shuffleId = 0;
        PbGetShuffleIdResponse.prototype.success = false;

        PbGetShuffleIdResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(16).bool(message.success);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetShuffleIdResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetShuffleIdResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetShuffleIdResponse;
    })();

    celeborn.PbReportShuffleFetchFailure = (function() {

        var PbReportShuffleFetchFailure = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReportShuffleFetchFailure.prototype.appShuffleId = 0;
        PbReportShuffleFetchFailure.prototype.shuffleId = 0;
        PbReportShuffleFetchFailure.prototype.taskId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbReportShuffleFetchFailure.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appShuffleId != null && $Object.hasOwnProperty.call(message, "appShuffleId") && message.appShuffleId !== 0)
                writer.uint32(8).int32(message.appShuffleId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.taskId != null && $Object.hasOwnProperty.call(message, "taskId") && (typeof message.taskId === "object" ? message.taskId.low || message.taskId.high : message.taskId !== 0))
                writer.uint32(24).int64(message.taskId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReportShuffleFetchFailure.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReportShuffleFetchFailure();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.appShuffleId = value;
                        else
                            delete message.appShuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.taskId = value;
                        else
                            delete message.taskId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReportShuffleFetchFailure;
    })();

    celeborn.PbReportShuffleFetchFailureResponse = (function() {

        var PbReportShuffleFetchFailureResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReportShuffleFetchFailureResponse.prototype.success = false;

        PbReportShuffleFetchFailureResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(8).bool(message.success);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReportShuffleFetchFailureResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReportShuffleFetchFailureResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReportShuffleFetchFailureResponse;
    })();

    celeborn.PbReportBarrierStageAttemptFailure = (function() {

        var PbReportBarrierStageAttemptFailure = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReportBarrierStageAttemptFailure.prototype.appShuffleId = 0;
        PbReportBarrierStageAttemptFailure.prototype.appShuffleIdentifier = "";

        PbReportBarrierStageAttemptFailure.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appShuffleId != null && $Object.hasOwnProperty.call(message, "appShuffleId") && message.appShuffleId !== 0)
                writer.uint32(8).int32(message.appShuffleId);
            if (message.appShuffleIdentifier != null && $Object.hasOwnProperty.call(message, "appShuffleIdentifier") && message.appShuffleIdentifier !== "")
                writer.uint32(18).string(message.appShuffleIdentifier);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReportBarrierStageAttemptFailure.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReportBarrierStageAttemptFailure();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.appShuffleId = value;
                        else
                            delete message.appShuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appShuffleIdentifier = value;
                        else
                            delete message.appShuffleIdentifier;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReportBarrierStageAttemptFailure;
    })();

    celeborn.PbReportBarrierStageAttemptFailureResponse = (function() {

        var PbReportBarrierStageAttemptFailureResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReportBarrierStageAttemptFailureResponse.prototype.success = false;

        PbReportBarrierStageAttemptFailureResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(8).bool(message.success);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReportBarrierStageAttemptFailureResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReportBarrierStageAttemptFailureResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReportBarrierStageAttemptFailureResponse;
    })();

    celeborn.PbGetStageEnd = (function() {

        var PbGetStageEnd = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetStageEnd.prototype.shuffleId = 0;

        PbGetStageEnd.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetStageEnd.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetStageEnd();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetStageEnd;
    })();

    celeborn.PbGetStageEndResponse = (function() {

        var PbGetStageEndResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbGetStageEndResponse.prototype.stageEnd = false;

        PbGetStageEndResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.stageEnd != null && $Object.hasOwnProperty.call(message, "stageEnd") && message.stageEnd !== false)
                writer.uint32(8).bool(message.stageEnd);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbGetStageEndResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbGetStageEndResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.stageEnd = value;
                        else
                            delete message.stageEnd;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbGetStageEndResponse;
    })();

    celeborn.PbReadReducerPartitionEnd = (function() {

        var PbReadReducerPartitionEnd = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReadReducerPartitionEnd.prototype.shuffleId = 0;
        PbReadReducerPartitionEnd.prototype.partitionId = 0;
        PbReadReducerPartitionEnd.prototype.startMaxIndex = 0;
        PbReadReducerPartitionEnd.prototype.endMapIndex = 0;
        PbReadReducerPartitionEnd.prototype.crc32 = 0;
        PbReadReducerPartitionEnd.prototype.bytesWritten = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbReadReducerPartitionEnd.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(8).int32(message.shuffleId);
            if (message.partitionId != null && $Object.hasOwnProperty.call(message, "partitionId") && message.partitionId !== 0)
                writer.uint32(16).int32(message.partitionId);
            if (message.startMaxIndex != null && $Object.hasOwnProperty.call(message, "startMaxIndex") && message.startMaxIndex !== 0)
                writer.uint32(24).int32(message.startMaxIndex);
            if (message.endMapIndex != null && $Object.hasOwnProperty.call(message, "endMapIndex") && message.endMapIndex !== 0)
                writer.uint32(32).int32(message.endMapIndex);
            if (message.crc32 != null && $Object.hasOwnProperty.call(message, "crc32") && message.crc32 !== 0)
                writer.uint32(40).int32(message.crc32);
            if (message.bytesWritten != null && $Object.hasOwnProperty.call(message, "bytesWritten") && (typeof message.bytesWritten === "object" ? message.bytesWritten.low || message.bytesWritten.high : message.bytesWritten !== 0))
                writer.uint32(48).int64(message.bytesWritten);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReadReducerPartitionEnd.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReadReducerPartitionEnd();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.partitionId = value;
                        else
                            delete message.partitionId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.startMaxIndex = value;
                        else
                            delete message.startMaxIndex;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.endMapIndex = value;
                        else
                            delete message.endMapIndex;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.crc32 = value;
                        else
                            delete message.crc32;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.bytesWritten = value;
                        else
                            delete message.bytesWritten;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReadReducerPartitionEnd;
    })();

    celeborn.PbReadReducerPartitionEndResponse = (function() {

        var PbReadReducerPartitionEndResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReadReducerPartitionEndResponse.prototype.status = 0;
        PbReadReducerPartitionEndResponse.prototype.errorMsg = "";

        PbReadReducerPartitionEndResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.errorMsg != null && $Object.hasOwnProperty.call(message, "errorMsg") && message.errorMsg !== "")
                writer.uint32(18).string(message.errorMsg);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReadReducerPartitionEndResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReadReducerPartitionEndResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.errorMsg = value;
                        else
                            delete message.errorMsg;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReadReducerPartitionEndResponse;
    })();

    celeborn.PbApplicationMetaRequest = (function() {

        var PbApplicationMetaRequest = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbApplicationMetaRequest.prototype.appId = "";

        PbApplicationMetaRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbApplicationMetaRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbApplicationMetaRequest();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbApplicationMetaRequest;
    })();

    celeborn.PbApplicationMeta = (function() {

        var PbApplicationMeta = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbApplicationMeta.prototype.appId = "";
        PbApplicationMeta.prototype.secret = "";

        PbApplicationMeta.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.secret != null && $Object.hasOwnProperty.call(message, "secret") && message.secret !== "")
                writer.uint32(18).string(message.secret);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbApplicationMeta.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbApplicationMeta();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.secret = value;
                        else
                            delete message.secret;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbApplicationMeta;
    })();

    celeborn.PbRequestSlots = (function() {

        var PbRequestSlots = function (properties) {
            this.partitionIdList = [];
            this.excludedWorkerSet = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRequestSlots.prototype.applicationId = "";
        PbRequestSlots.prototype.shuffleId = 0;
        PbRequestSlots.prototype.partitionIdList = $util.emptyArray;
        PbRequestSlots.prototype.hostname = "";
        PbRequestSlots.prototype.shouldReplicate = false;
        PbRequestSlots.prototype.requestId = "";
        PbRequestSlots.prototype.storageType = 0;
        PbRequestSlots.prototype.userIdentifier = null;
        PbRequestSlots.prototype.shouldRackAware = false;
        PbRequestSlots.prototype.maxWorkers = 0;
        PbRequestSlots.prototype.availableStorageTypes = 0;
        PbRequestSlots.prototype.excludedWorkerSet = $util.emptyArray;
        PbRequestSlots.prototype.packed = false;
        PbRequestSlots.prototype.tagsExpr = "";

        PbRequestSlots.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.applicationId != null && $Object.hasOwnProperty.call(message, "applicationId") && message.applicationId !== "")
                writer.uint32(10).string(message.applicationId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.partitionIdList != null && message.partitionIdList.length)
                writer.uint32(26).int32s(message.partitionIdList);
            if (message.hostname != null && $Object.hasOwnProperty.call(message, "hostname") && message.hostname !== "")
                writer.uint32(34).string(message.hostname);
            if (message.shouldReplicate != null && $Object.hasOwnProperty.call(message, "shouldReplicate") && message.shouldReplicate !== false)
                writer.uint32(40).bool(message.shouldReplicate);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(50).string(message.requestId);
            if (message.storageType != null && $Object.hasOwnProperty.call(message, "storageType") && message.storageType !== 0)
                writer.uint32(56).int32(message.storageType);
            if (message.userIdentifier != null && $Object.hasOwnProperty.call(message, "userIdentifier"))
                $root.celeborn.PbUserIdentifier.encode(message.userIdentifier, writer.uint32(66).fork(), _depth + 1).ldelim();
            if (message.shouldRackAware != null && $Object.hasOwnProperty.call(message, "shouldRackAware") && message.shouldRackAware !== false)
                writer.uint32(72).bool(message.shouldRackAware);
            if (message.maxWorkers != null && $Object.hasOwnProperty.call(message, "maxWorkers") && message.maxWorkers !== 0)
                writer.uint32(80).int32(message.maxWorkers);
            if (message.availableStorageTypes != null && $Object.hasOwnProperty.call(message, "availableStorageTypes") && message.availableStorageTypes !== 0)
                writer.uint32(88).int32(message.availableStorageTypes);
            if (message.excludedWorkerSet != null && message.excludedWorkerSet.length)
                for (var i = 0; i < message.excludedWorkerSet.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.excludedWorkerSet[i], writer.uint32(98).fork(), _depth + 1).ldelim();
            if (message.packed != null && $Object.hasOwnProperty.call(message, "packed") && message.packed !== false)
                writer.uint32(104).bool(message.packed);
            if (message.tagsExpr != null && $Object.hasOwnProperty.call(message, "tagsExpr") && message.tagsExpr !== "")
                writer.uint32(114).string(message.tagsExpr);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRequestSlots.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRequestSlots();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.applicationId = value;
                        else
                            delete message.applicationId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.partitionIdList && message.partitionIdList.length))
                                message.partitionIdList = [];
                            reader.int32s(message.partitionIdList);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.partitionIdList && message.partitionIdList.length))
                            message.partitionIdList = [];
                        message.partitionIdList.push(reader.int32());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.hostname = value;
                        else
                            delete message.hostname;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.shouldReplicate = value;
                        else
                            delete message.shouldReplicate;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.storageType = value;
                        else
                            delete message.storageType;
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        message.userIdentifier = $root.celeborn.PbUserIdentifier.decode(reader, reader.size(), $undefined, _depth + 1, message.userIdentifier);
                        continue;
                    }
                case 9: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.shouldRackAware = value;
                        else
                            delete message.shouldRackAware;
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.maxWorkers = value;
                        else
                            delete message.maxWorkers;
                        continue;
                    }
                case 11: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.availableStorageTypes = value;
                        else
                            delete message.availableStorageTypes;
                        continue;
                    }
                case 12: {
                        if (wireType !== 2)
                            break;
                        if (!(message.excludedWorkerSet && message.excludedWorkerSet.length))
                            message.excludedWorkerSet = [];
                        message.excludedWorkerSet.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 13: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.packed = value;
                        else
                            delete message.packed;
                        continue;
                    }
                case 14: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.tagsExpr = value;
                        else
                            delete message.tagsExpr;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRequestSlots;
    })();

    celeborn.PbRequestSlotsResponse = (function() {

        var PbRequestSlotsResponse = function (properties) {
            this.workerResource = {};
            this.packedWorkerResource = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRequestSlotsResponse.prototype.status = 0;
        PbRequestSlotsResponse.prototype.workerResource = $util.emptyObject;
        PbRequestSlotsResponse.prototype.packedWorkerResource = $util.emptyObject;

        PbRequestSlotsResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.workerResource != null && $Object.hasOwnProperty.call(message, "workerResource"))
                for (var keys = $Object.keys(message.workerResource), i = 0; i < keys.length; ++i) {
                    writer.uint32(18).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbWorkerResource.encode(message.workerResource[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.packedWorkerResource != null && $Object.hasOwnProperty.call(message, "packedWorkerResource"))
                for (var keys = $Object.keys(message.packedWorkerResource), i = 0; i < keys.length; ++i) {
                    writer.uint32(26).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbPackedWorkerResource.encode(message.packedWorkerResource[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRequestSlotsResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRequestSlotsResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (message.workerResource === $util.emptyObject)
                            message.workerResource = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbWorkerResource.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.workerResource, key);
                        message.workerResource[key] = value || new $root.celeborn.PbWorkerResource();
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (message.packedWorkerResource === $util.emptyObject)
                            message.packedWorkerResource = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbPackedWorkerResource.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.packedWorkerResource, key);
                        message.packedWorkerResource[key] = value || new $root.celeborn.PbPackedWorkerResource();
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRequestSlotsResponse;
    })();

    celeborn.PbHeartbeatFromApplication = (function() {

        var PbHeartbeatFromApplication = function (properties) {
            this.needCheckedWorkerList = [];
            this.shuffleFallbackCounts = {};
            this.applicationFallbackCounts = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbHeartbeatFromApplication.prototype.appId = "";
        PbHeartbeatFromApplication.prototype.totalWritten = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbHeartbeatFromApplication.prototype.fileCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbHeartbeatFromApplication.prototype.requestId = "";
        PbHeartbeatFromApplication.prototype.needCheckedWorkerList = $util.emptyArray;
        PbHeartbeatFromApplication.prototype.shouldResponse = false;
        PbHeartbeatFromApplication.prototype.shuffleCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbHeartbeatFromApplication.prototype.shuffleFallbackCounts = $util.emptyObject;
        PbHeartbeatFromApplication.prototype.applicationCount = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbHeartbeatFromApplication.prototype.applicationFallbackCounts = $util.emptyObject;

        PbHeartbeatFromApplication.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.totalWritten != null && $Object.hasOwnProperty.call(message, "totalWritten") && (typeof message.totalWritten === "object" ? message.totalWritten.low || message.totalWritten.high : message.totalWritten !== 0))
                writer.uint32(16).int64(message.totalWritten);
            if (message.fileCount != null && $Object.hasOwnProperty.call(message, "fileCount") && (typeof message.fileCount === "object" ? message.fileCount.low || message.fileCount.high : message.fileCount !== 0))
                writer.uint32(24).int64(message.fileCount);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(34).string(message.requestId);
            if (message.needCheckedWorkerList != null && message.needCheckedWorkerList.length)
                for (var i = 0; i < message.needCheckedWorkerList.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.needCheckedWorkerList[i], writer.uint32(42).fork(), _depth + 1).ldelim();
            if (message.shouldResponse != null && $Object.hasOwnProperty.call(message, "shouldResponse") && message.shouldResponse !== false)
                writer.uint32(48).bool(message.shouldResponse);
            if (message.shuffleCount != null && $Object.hasOwnProperty.call(message, "shuffleCount") && (typeof message.shuffleCount === "object" ? message.shuffleCount.low || message.shuffleCount.high : message.shuffleCount !== 0))
                writer.uint32(56).int64(message.shuffleCount);
            if (message.shuffleFallbackCounts != null && $Object.hasOwnProperty.call(message, "shuffleFallbackCounts"))
                for (var keys = $Object.keys(message.shuffleFallbackCounts), i = 0; i < keys.length; ++i)
                    writer.uint32(66).fork().uint32(10).string(keys[i]).uint32(16).int64(message.shuffleFallbackCounts[keys[i]]).ldelim();
            if (message.applicationCount != null && $Object.hasOwnProperty.call(message, "applicationCount") && (typeof message.applicationCount === "object" ? message.applicationCount.low || message.applicationCount.high : message.applicationCount !== 0))
                writer.uint32(72).int64(message.applicationCount);
            if (message.applicationFallbackCounts != null && $Object.hasOwnProperty.call(message, "applicationFallbackCounts"))
                for (var keys = $Object.keys(message.applicationFallbackCounts), i = 0; i < keys.length; ++i)
                    writer.uint32(82).fork().uint32(10).string(keys[i]).uint32(16).int64(message.applicationFallbackCounts[keys[i]]).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbHeartbeatFromApplication.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbHeartbeatFromApplication();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.totalWritten = value;
                        else
                            delete message.totalWritten;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.fileCount = value;
                        else
                            delete message.fileCount;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (!(message.needCheckedWorkerList && message.needCheckedWorkerList.length))
                            message.needCheckedWorkerList = [];
                        message.needCheckedWorkerList.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.shouldResponse = value;
                        else
                            delete message.shouldResponse;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.shuffleCount = value;
                        else
                            delete message.shuffleCount;
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        if (message.shuffleFallbackCounts === $util.emptyObject)
                            message.shuffleFallbackCounts = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = $util.Long ? $util.Long.fromNumber(0, false) : 0;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 0)
                                    break;
                                value = reader.int64();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.shuffleFallbackCounts, key);
                        message.shuffleFallbackCounts[key] = value;
                        continue;
                    }
                case 9: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.applicationCount = value;
                        else
                            delete message.applicationCount;
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if (message.applicationFallbackCounts === $util.emptyObject)
                            message.applicationFallbackCounts = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = $util.Long ? $util.Long.fromNumber(0, false) : 0;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 0)
                                    break;
                                value = reader.int64();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.applicationFallbackCounts, key);
                        message.applicationFallbackCounts[key] = value;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbHeartbeatFromApplication;
    })();

    celeborn.PbCheckQuotaResponse = (function() {

        var PbCheckQuotaResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbCheckQuotaResponse.prototype.available = false;
        PbCheckQuotaResponse.prototype.reason = "";

        PbCheckQuotaResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.available != null && $Object.hasOwnProperty.call(message, "available") && message.available !== false)
                writer.uint32(8).bool(message.available);
            if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                writer.uint32(18).string(message.reason);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbCheckQuotaResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbCheckQuotaResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.available = value;
                        else
                            delete message.available;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.reason = value;
                        else
                            delete message.reason;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbCheckQuotaResponse;
    })();

    celeborn.PbHeartbeatFromApplicationResponse = (function() {

        var PbHeartbeatFromApplicationResponse = function (properties) {
            this.excludedWorkers = [];
            this.unknownWorkers = [];
            this.shuttingWorkers = [];
            this.registeredShuffles = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbHeartbeatFromApplicationResponse.prototype.status = 0;
        PbHeartbeatFromApplicationResponse.prototype.excludedWorkers = $util.emptyArray;
        PbHeartbeatFromApplicationResponse.prototype.unknownWorkers = $util.emptyArray;
        PbHeartbeatFromApplicationResponse.prototype.shuttingWorkers = $util.emptyArray;
        PbHeartbeatFromApplicationResponse.prototype.registeredShuffles = $util.emptyArray;
        PbHeartbeatFromApplicationResponse.prototype.checkQuotaResponse = null;

        PbHeartbeatFromApplicationResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.excludedWorkers != null && message.excludedWorkers.length)
                for (var i = 0; i < message.excludedWorkers.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.excludedWorkers[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.unknownWorkers != null && message.unknownWorkers.length)
                for (var i = 0; i < message.unknownWorkers.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.unknownWorkers[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.shuttingWorkers != null && message.shuttingWorkers.length)
                for (var i = 0; i < message.shuttingWorkers.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.shuttingWorkers[i], writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.registeredShuffles != null && message.registeredShuffles.length)
                writer.uint32(42).int32s(message.registeredShuffles);
            if (message.checkQuotaResponse != null && $Object.hasOwnProperty.call(message, "checkQuotaResponse"))
                $root.celeborn.PbCheckQuotaResponse.encode(message.checkQuotaResponse, writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbHeartbeatFromApplicationResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbHeartbeatFromApplicationResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.excludedWorkers && message.excludedWorkers.length))
                            message.excludedWorkers = [];
                        message.excludedWorkers.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.unknownWorkers && message.unknownWorkers.length))
                            message.unknownWorkers = [];
                        message.unknownWorkers.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.shuttingWorkers && message.shuttingWorkers.length))
                            message.shuttingWorkers = [];
                        message.shuttingWorkers.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 5: {
                        if (wireType === 2) {
                            if (!(message.registeredShuffles && message.registeredShuffles.length))
                                message.registeredShuffles = [];
                            reader.int32s(message.registeredShuffles);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.registeredShuffles && message.registeredShuffles.length))
                            message.registeredShuffles = [];
                        message.registeredShuffles.push(reader.int32());
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        message.checkQuotaResponse = $root.celeborn.PbCheckQuotaResponse.decode(reader, reader.size(), $undefined, _depth + 1, message.checkQuotaResponse);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbHeartbeatFromApplicationResponse;
    })();

    celeborn.PbUnregisterShuffle = (function() {

        var PbUnregisterShuffle = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbUnregisterShuffle.prototype.appId = "";
        PbUnregisterShuffle.prototype.shuffleId = 0;
        PbUnregisterShuffle.prototype.requestId = "";

        PbUnregisterShuffle.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(26).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbUnregisterShuffle.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbUnregisterShuffle();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbUnregisterShuffle;
    })();

    celeborn.PbBatchUnregisterShuffles = (function() {

        var PbBatchUnregisterShuffles = function (properties) {
            this.shuffleIds = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbBatchUnregisterShuffles.prototype.appId = "";
        PbBatchUnregisterShuffles.prototype.requestId = "";
        PbBatchUnregisterShuffles.prototype.shuffleIds = $util.emptyArray;

        PbBatchUnregisterShuffles.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(18).string(message.requestId);
            if (message.shuffleIds != null && message.shuffleIds.length)
                writer.uint32(26).int32s(message.shuffleIds);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbBatchUnregisterShuffles.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbBatchUnregisterShuffles();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.shuffleIds && message.shuffleIds.length))
                                message.shuffleIds = [];
                            reader.int32s(message.shuffleIds);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.shuffleIds && message.shuffleIds.length))
                            message.shuffleIds = [];
                        message.shuffleIds.push(reader.int32());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbBatchUnregisterShuffles;
    })();

    celeborn.PbBatchUnregisterShufflesResponse = (function() {

        var PbBatchUnregisterShufflesResponse = function (properties) {
            this.shuffleIds = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbBatchUnregisterShufflesResponse.prototype.status = 0;
        PbBatchUnregisterShufflesResponse.prototype.shuffleIds = $util.emptyArray;

        PbBatchUnregisterShufflesResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.shuffleIds != null && message.shuffleIds.length)
                writer.uint32(18).int32s(message.shuffleIds);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbBatchUnregisterShufflesResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbBatchUnregisterShufflesResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.shuffleIds && message.shuffleIds.length))
                                message.shuffleIds = [];
                            reader.int32s(message.shuffleIds);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.shuffleIds && message.shuffleIds.length))
                            message.shuffleIds = [];
                        message.shuffleIds.push(reader.int32());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbBatchUnregisterShufflesResponse;
    })();

    celeborn.PbCheckQuota = (function() {

        var PbCheckQuota = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbCheckQuota.prototype.userIdentifier = null;

        PbCheckQuota.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.userIdentifier != null && $Object.hasOwnProperty.call(message, "userIdentifier"))
                $root.celeborn.PbUserIdentifier.encode(message.userIdentifier, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbCheckQuota.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbCheckQuota();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.userIdentifier = $root.celeborn.PbUserIdentifier.decode(reader, reader.size(), $undefined, _depth + 1, message.userIdentifier);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbCheckQuota;
    })();

    celeborn.PbCheckWorkersAvailableResponse = (function() {

        var PbCheckWorkersAvailableResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbCheckWorkersAvailableResponse.prototype.available = false;

        PbCheckWorkersAvailableResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.available != null && $Object.hasOwnProperty.call(message, "available") && message.available !== false)
                writer.uint32(8).bool(message.available);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbCheckWorkersAvailableResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbCheckWorkersAvailableResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.available = value;
                        else
                            delete message.available;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbCheckWorkersAvailableResponse;
    })();

    celeborn.PbApplicationLost = (function() {

        var PbApplicationLost = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbApplicationLost.prototype.appId = "";
        PbApplicationLost.prototype.requestId = "";

        PbApplicationLost.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(18).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbApplicationLost.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbApplicationLost();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbApplicationLost;
    })();

    celeborn.PbRegisterApplicationInfo = (function() {

        var PbRegisterApplicationInfo = function (properties) {
            this.extraInfo = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterApplicationInfo.prototype.appId = "";
        PbRegisterApplicationInfo.prototype.userIdentifier = null;
        PbRegisterApplicationInfo.prototype.extraInfo = $util.emptyObject;
        PbRegisterApplicationInfo.prototype.requestId = "";

        PbRegisterApplicationInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.userIdentifier != null && $Object.hasOwnProperty.call(message, "userIdentifier"))
                $root.celeborn.PbUserIdentifier.encode(message.userIdentifier, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.extraInfo != null && $Object.hasOwnProperty.call(message, "extraInfo"))
                for (var keys = $Object.keys(message.extraInfo), i = 0; i < keys.length; ++i)
                    writer.uint32(26).fork().uint32(10).string(keys[i]).uint32(18).string(message.extraInfo[keys[i]]).ldelim();
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(34).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterApplicationInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterApplicationInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.userIdentifier = $root.celeborn.PbUserIdentifier.decode(reader, reader.size(), $undefined, _depth + 1, message.userIdentifier);
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (message.extraInfo === $util.emptyObject)
                            message.extraInfo = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = "";
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = reader.stringVerify();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.extraInfo, key);
                        message.extraInfo[key] = value;
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterApplicationInfo;
    })();

    celeborn.PbSlotInfo = (function() {

        var PbSlotInfo = function (properties) {
            this.slot = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbSlotInfo.prototype.slot = $util.emptyObject;

        PbSlotInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.slot != null && $Object.hasOwnProperty.call(message, "slot"))
                for (var keys = $Object.keys(message.slot), i = 0; i < keys.length; ++i)
                    writer.uint32(10).fork().uint32(10).string(keys[i]).uint32(16).int32(message.slot[keys[i]]).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbSlotInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbSlotInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (message.slot === $util.emptyObject)
                            message.slot = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = 0;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 0)
                                    break;
                                value = reader.int32();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.slot, key);
                        message.slot[key] = value;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbSlotInfo;
    })();

    celeborn.PbReleaseSlots = (function() {

        var PbReleaseSlots = function (properties) {
            this.workerIds = [];
            this.slots = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReleaseSlots.prototype.applicationId = "";
        PbReleaseSlots.prototype.shuffleId = 0;
        PbReleaseSlots.prototype.workerIds = $util.emptyArray;
        PbReleaseSlots.prototype.slots = $util.emptyArray;
        PbReleaseSlots.prototype.requestId = "";

        PbReleaseSlots.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.applicationId != null && $Object.hasOwnProperty.call(message, "applicationId") && message.applicationId !== "")
                writer.uint32(10).string(message.applicationId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.workerIds != null && message.workerIds.length)
                for (var i = 0; i < message.workerIds.length; ++i)
                    writer.uint32(26).string(message.workerIds[i]);
            if (message.slots != null && message.slots.length)
                for (var i = 0; i < message.slots.length; ++i)
                    $root.celeborn.PbSlotInfo.encode(message.slots[i], writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(50).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReleaseSlots.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReleaseSlots();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.applicationId = value;
                        else
                            delete message.applicationId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.workerIds && message.workerIds.length))
                            message.workerIds = [];
                        message.workerIds.push(reader.stringVerify());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.slots && message.slots.length))
                            message.slots = [];
                        message.slots.push($root.celeborn.PbSlotInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReleaseSlots;
    })();

    celeborn.PbReviseLostShuffles = (function() {

        var PbReviseLostShuffles = function (properties) {
            this.lostShuffles = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReviseLostShuffles.prototype.appId = "";
        PbReviseLostShuffles.prototype.lostShuffles = $util.emptyArray;
        PbReviseLostShuffles.prototype.requestId = "";

        PbReviseLostShuffles.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.appId != null && $Object.hasOwnProperty.call(message, "appId") && message.appId !== "")
                writer.uint32(10).string(message.appId);
            if (message.lostShuffles != null && message.lostShuffles.length)
                writer.uint32(18).int32s(message.lostShuffles);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(26).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReviseLostShuffles.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReviseLostShuffles();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.appId = value;
                        else
                            delete message.appId;
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.lostShuffles && message.lostShuffles.length))
                                message.lostShuffles = [];
                            reader.int32s(message.lostShuffles);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.lostShuffles && message.lostShuffles.length))
                            message.lostShuffles = [];
                        message.lostShuffles.push(reader.int32());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReviseLostShuffles;
    })();

    celeborn.PbReviseLostShufflesResponse = (function() {

        var PbReviseLostShufflesResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReviseLostShufflesResponse.prototype.success = false;
        PbReviseLostShufflesResponse.prototype.message = "";

        PbReviseLostShufflesResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(8).bool(message.success);
            if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                writer.uint32(18).string(message.message);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReviseLostShufflesResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReviseLostShufflesResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.message = value;
                        else
                            delete message.message;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReviseLostShufflesResponse;
    })();

    celeborn.PbReserveSlots = (function() {

        var PbReserveSlots = function (properties) {
            this.primaryLocations = [];
            this.replicaLocations = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReserveSlots.prototype.applicationId = "";
        PbReserveSlots.prototype.shuffleId = 0;
        PbReserveSlots.prototype.primaryLocations = $util.emptyArray;
        PbReserveSlots.prototype.replicaLocations = $util.emptyArray;
        PbReserveSlots.prototype.splitThreshold = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbReserveSlots.prototype.splitMode = 0;
        PbReserveSlots.prototype.partitionType = 0;
        PbReserveSlots.prototype.rangeReadFilter = false;
        PbReserveSlots.prototype.userIdentifier = null;
        PbReserveSlots.prototype.pushDataTimeout = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbReserveSlots.prototype.partitionSplitEnabled = false;
        PbReserveSlots.prototype.availableStorageTypes = 0;
        PbReserveSlots.prototype.partitionLocationsPair = null;
        PbReserveSlots.prototype.isSegmentGranularityVisible = false;

        PbReserveSlots.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.applicationId != null && $Object.hasOwnProperty.call(message, "applicationId") && message.applicationId !== "")
                writer.uint32(10).string(message.applicationId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.primaryLocations != null && message.primaryLocations.length)
                for (var i = 0; i < message.primaryLocations.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.primaryLocations[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.replicaLocations != null && message.replicaLocations.length)
                for (var i = 0; i < message.replicaLocations.length; ++i)
                    $root.celeborn.PbPartitionLocation.encode(message.replicaLocations[i], writer.uint32(34).fork(), _depth + 1).ldelim();
            if (message.splitThreshold != null && $Object.hasOwnProperty.call(message, "splitThreshold") && (typeof message.splitThreshold === "object" ? message.splitThreshold.low || message.splitThreshold.high : message.splitThreshold !== 0))
                writer.uint32(40).int64(message.splitThreshold);
            if (message.splitMode != null && $Object.hasOwnProperty.call(message, "splitMode") && message.splitMode !== 0)
                writer.uint32(48).int32(message.splitMode);
            if (message.partitionType != null && $Object.hasOwnProperty.call(message, "partitionType") && message.partitionType !== 0)
                writer.uint32(56).int32(message.partitionType);
            if (message.rangeReadFilter != null && $Object.hasOwnProperty.call(message, "rangeReadFilter") && message.rangeReadFilter !== false)
                writer.uint32(64).bool(message.rangeReadFilter);
            if (message.userIdentifier != null && $Object.hasOwnProperty.call(message, "userIdentifier"))
                $root.celeborn.PbUserIdentifier.encode(message.userIdentifier, writer.uint32(74).fork(), _depth + 1).ldelim();
            if (message.pushDataTimeout != null && $Object.hasOwnProperty.call(message, "pushDataTimeout") && (typeof message.pushDataTimeout === "object" ? message.pushDataTimeout.low || message.pushDataTimeout.high : message.pushDataTimeout !== 0))
                writer.uint32(80).int64(message.pushDataTimeout);
            if (message.partitionSplitEnabled != null && $Object.hasOwnProperty.call(message, "partitionSplitEnabled") && message.partitionSplitEnabled !== false)
                writer.uint32(88).bool(message.partitionSplitEnabled);
            if (message.availableStorageTypes != null && $Object.hasOwnProperty.call(message, "availableStorageTypes") && message.availableStorageTypes !== 0)
                writer.uint32(96).int32(message.availableStorageTypes);
            if (message.partitionLocationsPair != null && $Object.hasOwnProperty.call(message, "partitionLocationsPair"))
                $root.celeborn.PbPackedPartitionLocationsPair.encode(message.partitionLocationsPair, writer.uint32(106).fork(), _depth + 1).ldelim();
            if (message.isSegmentGranularityVisible != null && $Object.hasOwnProperty.call(message, "isSegmentGranularityVisible") && message.isSegmentGranularityVisible !== false)
                writer.uint32(112).bool(message.isSegmentGranularityVisible);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReserveSlots.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReserveSlots();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.applicationId = value;
                        else
                            delete message.applicationId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.primaryLocations && message.primaryLocations.length))
                            message.primaryLocations = [];
                        message.primaryLocations.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.replicaLocations && message.replicaLocations.length))
                            message.replicaLocations = [];
                        message.replicaLocations.push($root.celeborn.PbPartitionLocation.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.splitThreshold = value;
                        else
                            delete message.splitThreshold;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.splitMode = value;
                        else
                            delete message.splitMode;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.partitionType = value;
                        else
                            delete message.partitionType;
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.rangeReadFilter = value;
                        else
                            delete message.rangeReadFilter;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        message.userIdentifier = $root.celeborn.PbUserIdentifier.decode(reader, reader.size(), $undefined, _depth + 1, message.userIdentifier);
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.pushDataTimeout = value;
                        else
                            delete message.pushDataTimeout;
                        continue;
                    }
                case 11: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.partitionSplitEnabled = value;
                        else
                            delete message.partitionSplitEnabled;
                        continue;
                    }
                case 12: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.availableStorageTypes = value;
                        else
                            delete message.availableStorageTypes;
                        continue;
                    }
                case 13: {
                        if (wireType !== 2)
                            break;
                        message.partitionLocationsPair = $root.celeborn.PbPackedPartitionLocationsPair.decode(reader, reader.size(), $undefined, _depth + 1, message.partitionLocationsPair);
                        continue;
                    }
                case 14: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.isSegmentGranularityVisible = value;
                        else
                            delete message.isSegmentGranularityVisible;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReserveSlots;
    })();

    celeborn.PbReserveSlotsResponse = (function() {

        var PbReserveSlotsResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReserveSlotsResponse.prototype.status = 0;
        PbReserveSlotsResponse.prototype.reason = "";

        PbReserveSlotsResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                writer.uint32(18).string(message.reason);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReserveSlotsResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReserveSlotsResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.reason = value;
                        else
                            delete message.reason;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReserveSlotsResponse;
    })();

    celeborn.PbCommitFiles = (function() {

        var PbCommitFiles = function (properties) {
            this.primaryIds = [];
            this.replicaIds = [];
            this.mapAttempts = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbCommitFiles.prototype.applicationId = "";
        PbCommitFiles.prototype.shuffleId = 0;
        PbCommitFiles.prototype.primaryIds = $util.emptyArray;
        PbCommitFiles.prototype.replicaIds = $util.emptyArray;
        PbCommitFiles.prototype.mapAttempts = $util.emptyArray;
        PbCommitFiles.prototype.epoch = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbCommitFiles.prototype.mockFailure = false;

        PbCommitFiles.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.applicationId != null && $Object.hasOwnProperty.call(message, "applicationId") && message.applicationId !== "")
                writer.uint32(10).string(message.applicationId);
            if (message.shuffleId != null && $Object.hasOwnProperty.call(message, "shuffleId") && message.shuffleId !== 0)
                writer.uint32(16).int32(message.shuffleId);
            if (message.primaryIds != null && message.primaryIds.length)
                for (var i = 0; i < message.primaryIds.length; ++i)
                    writer.uint32(26).string(message.primaryIds[i]);
            if (message.replicaIds != null && message.replicaIds.length)
                for (var i = 0; i < message.replicaIds.length; ++i)
                    writer.uint32(34).string(message.replicaIds[i]);
            if (message.mapAttempts != null && message.mapAttempts.length)
                writer.uint32(42).int32s(message.mapAttempts);
            if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && (typeof message.epoch === "object" ? message.epoch.low || message.epoch.high : message.epoch !== 0))
                writer.uint32(48).int64(message.epoch);
            if (message.mockFailure != null && $Object.hasOwnProperty.call(message, "mockFailure") && message.mockFailure !== false)
                writer.uint32(56).bool(message.mockFailure);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbCommitFiles.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbCommitFiles();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.applicationId = value;
                        else
                            delete message.applicationId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.shuffleId = value;
                        else
                            delete message.shuffleId;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.primaryIds && message.primaryIds.length))
                            message.primaryIds = [];
                        message.primaryIds.push(reader.stringVerify());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.replicaIds && message.replicaIds.length))
                            message.replicaIds = [];
                        message.replicaIds.push(reader.stringVerify());
                        continue;
                    }
                case 5: {
                        if (wireType === 2) {
                            if (!(message.mapAttempts && message.mapAttempts.length))
                                message.mapAttempts = [];
                            reader.int32s(message.mapAttempts);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.mapAttempts && message.mapAttempts.length))
                            message.mapAttempts = [];
                        message.mapAttempts.push(reader.int32());
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.epoch = value;
                        else
                            delete message.epoch;
                        continue;
                    }
                case 7: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.mockFailure = value;
                        else
                            delete message.mockFailure;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbCommitFiles;
    })();

    celeborn.PbCommitFilesResponse = (function() {

        var PbCommitFilesResponse = function (properties) {
            this.committedPrimaryIds = [];
            this.committedReplicaIds = [];
            this.failedPrimaryIds = [];
            this.failedReplicaIds = [];
            this.committedPrimaryStorageInfos = {};
            this.committedReplicaStorageInfos = {};
            this.mapIdBitmap = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbCommitFilesResponse.prototype.status = 0;
        PbCommitFilesResponse.prototype.committedPrimaryIds = $util.emptyArray;
        PbCommitFilesResponse.prototype.committedReplicaIds = $util.emptyArray;
        PbCommitFilesResponse.prototype.failedPrimaryIds = $util.emptyArray;
        PbCommitFilesResponse.prototype.failedReplicaIds = $util.emptyArray;
        PbCommitFilesResponse.prototype.committedPrimaryStorageInfos = $util.emptyObject;
        PbCommitFilesResponse.prototype.committedReplicaStorageInfos = $util.emptyObject;
        PbCommitFilesResponse.prototype.totalWritten = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbCommitFilesResponse.prototype.fileCount = 0;
        PbCommitFilesResponse.prototype.mapIdBitmap = $util.emptyObject;

        PbCommitFilesResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.committedPrimaryIds != null && message.committedPrimaryIds.length)
                for (var i = 0; i < message.committedPrimaryIds.length; ++i)
                    writer.uint32(18).string(message.committedPrimaryIds[i]);
            if (message.committedReplicaIds != null && message.committedReplicaIds.length)
                for (var i = 0; i < message.committedReplicaIds.length; ++i)
                    writer.uint32(26).string(message.committedReplicaIds[i]);
            if (message.failedPrimaryIds != null && message.failedPrimaryIds.length)
                for (var i = 0; i < message.failedPrimaryIds.length; ++i)
                    writer.uint32(34).string(message.failedPrimaryIds[i]);
            if (message.failedReplicaIds != null && message.failedReplicaIds.length)
                for (var i = 0; i < message.failedReplicaIds.length; ++i)
                    writer.uint32(42).string(message.failedReplicaIds[i]);
            if (message.committedPrimaryStorageInfos != null && $Object.hasOwnProperty.call(message, "committedPrimaryStorageInfos"))
                for (var keys = $Object.keys(message.committedPrimaryStorageInfos), i = 0; i < keys.length; ++i) {
                    writer.uint32(50).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbStorageInfo.encode(message.committedPrimaryStorageInfos[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.committedReplicaStorageInfos != null && $Object.hasOwnProperty.call(message, "committedReplicaStorageInfos"))
                for (var keys = $Object.keys(message.committedReplicaStorageInfos), i = 0; i < keys.length; ++i) {
                    writer.uint32(58).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbStorageInfo.encode(message.committedReplicaStorageInfos[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.totalWritten != null && $Object.hasOwnProperty.call(message, "totalWritten") && (typeof message.totalWritten === "object" ? message.totalWritten.low || message.totalWritten.high : message.totalWritten !== 0))
                writer.uint32(64).int64(message.totalWritten);
            if (message.fileCount != null && $Object.hasOwnProperty.call(message, "fileCount") && message.fileCount !== 0)
                writer.uint32(72).int32(message.fileCount);
            if (message.mapIdBitmap != null && $Object.hasOwnProperty.call(message, "mapIdBitmap"))
                for (var keys = $Object.keys(message.mapIdBitmap), i = 0; i < keys.length; ++i)
                    writer.uint32(82).fork().uint32(10).string(keys[i]).uint32(18).bytes(message.mapIdBitmap[keys[i]]).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbCommitFilesResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbCommitFilesResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.committedPrimaryIds && message.committedPrimaryIds.length))
                            message.committedPrimaryIds = [];
                        message.committedPrimaryIds.push(reader.stringVerify());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.committedReplicaIds && message.committedReplicaIds.length))
                            message.committedReplicaIds = [];
                        message.committedReplicaIds.push(reader.stringVerify());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if (!(message.failedPrimaryIds && message.failedPrimaryIds.length))
                            message.failedPrimaryIds = [];
                        message.failedPrimaryIds.push(reader.stringVerify());
                        continue;
                    }
                case 5: {
                        if (wireType !== 2)
                            break;
                        if (!(message.failedReplicaIds && message.failedReplicaIds.length))
                            message.failedReplicaIds = [];
                        message.failedReplicaIds.push(reader.stringVerify());
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (message.committedPrimaryStorageInfos === $util.emptyObject)
                            message.committedPrimaryStorageInfos = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbStorageInfo.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.committedPrimaryStorageInfos, key);
                        message.committedPrimaryStorageInfos[key] = value || new $root.celeborn.PbStorageInfo();
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (message.committedReplicaStorageInfos === $util.emptyObject)
                            message.committedReplicaStorageInfos = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbStorageInfo.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.committedReplicaStorageInfos, key);
                        message.committedReplicaStorageInfos[key] = value || new $root.celeborn.PbStorageInfo();
                        continue;
                    }
                case 8: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.totalWritten = value;
                        else
                            delete message.totalWritten;
                        continue;
                    }
                case 9: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fileCount = value;
                        else
                            delete message.fileCount;
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if (message.mapIdBitmap === $util.emptyObject)
                            message.mapIdBitmap = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = [];
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = reader.bytes();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.mapIdBitmap, key);
                        message.mapIdBitmap[key] = value;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbCommitFilesResponse;
    })();

    celeborn.PbDestroyWorkerSlots = (function() {

        var PbDestroyWorkerSlots = function (properties) {
            this.primaryLocations = [];
            this.replicaLocation = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbDestroyWorkerSlots.prototype.shuffleKey = "";
        PbDestroyWorkerSlots.prototype.primaryLocations = $util.emptyArray;
        PbDestroyWorkerSlots.prototype.replicaLocation = $util.emptyArray;
        PbDestroyWorkerSlots.prototype.mockFailure = false;

        PbDestroyWorkerSlots.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleKey != null && $Object.hasOwnProperty.call(message, "shuffleKey") && message.shuffleKey !== "")
                writer.uint32(10).string(message.shuffleKey);
            if (message.primaryLocations != null && message.primaryLocations.length)
                for (var i = 0; i < message.primaryLocations.length; ++i)
                    writer.uint32(18).string(message.primaryLocations[i]);
            if (message.replicaLocation != null && message.replicaLocation.length)
                for (var i = 0; i < message.replicaLocation.length; ++i)
                    writer.uint32(26).string(message.replicaLocation[i]);
            if (message.mockFailure != null && $Object.hasOwnProperty.call(message, "mockFailure") && message.mockFailure !== false)
                writer.uint32(32).bool(message.mockFailure);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbDestroyWorkerSlots.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbDestroyWorkerSlots();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.shuffleKey = value;
                        else
                            delete message.shuffleKey;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.primaryLocations && message.primaryLocations.length))
                            message.primaryLocations = [];
                        message.primaryLocations.push(reader.stringVerify());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.replicaLocation && message.replicaLocation.length))
                            message.replicaLocation = [];
                        message.replicaLocation.push(reader.stringVerify());
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.mockFailure = value;
                        else
                            delete message.mockFailure;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbDestroyWorkerSlots;
    })();

    celeborn.PbDestroyWorkerSlotsResponse = (function() {

        var PbDestroyWorkerSlotsResponse = function (properties) {
            this.failedPrimaries = [];
            this.failedReplicas = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbDestroyWorkerSlotsResponse.prototype.status = 0;
        PbDestroyWorkerSlotsResponse.prototype.failedPrimaries = $util.emptyArray;
        PbDestroyWorkerSlotsResponse.prototype.failedReplicas = $util.emptyArray;

        PbDestroyWorkerSlotsResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.failedPrimaries != null && message.failedPrimaries.length)
                for (var i = 0; i < message.failedPrimaries.length; ++i)
                    writer.uint32(18).string(message.failedPrimaries[i]);
            if (message.failedReplicas != null && message.failedReplicas.length)
                for (var i = 0; i < message.failedReplicas.length; ++i)
                    writer.uint32(26).string(message.failedReplicas[i]);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbDestroyWorkerSlotsResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbDestroyWorkerSlotsResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.failedPrimaries && message.failedPrimaries.length))
                            message.failedPrimaries = [];
                        message.failedPrimaries.push(reader.stringVerify());
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.failedReplicas && message.failedReplicas.length))
                            message.failedReplicas = [];
                        message.failedReplicas.push(reader.stringVerify());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbDestroyWorkerSlotsResponse;
    })();

    celeborn.PbRegisterWorker = (function() {

        var PbRegisterWorker = function (properties) {
            this.disks = [];
            this.userResourceConsumption = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterWorker.prototype.host = "";
        PbRegisterWorker.prototype.rpcPort = 0;
        PbRegisterWorker.prototype.pushPort = 0;
        PbRegisterWorker.prototype.fetchPort = 0;
        PbRegisterWorker.prototype.replicatePort = 0;
        PbRegisterWorker.prototype.disks = $util.emptyArray;
        PbRegisterWorker.prototype.userResourceConsumption = $util.emptyObject;
        PbRegisterWorker.prototype.requestId = "";
        PbRegisterWorker.prototype.internalPort = 0;
        PbRegisterWorker.prototype.networkLocation = "";

        PbRegisterWorker.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
                writer.uint32(10).string(message.host);
            if (message.rpcPort != null && $Object.hasOwnProperty.call(message, "rpcPort") && message.rpcPort !== 0)
                writer.uint32(16).int32(message.rpcPort);
            if (message.pushPort != null && $Object.hasOwnProperty.call(message, "pushPort") && message.pushPort !== 0)
                writer.uint32(24).int32(message.pushPort);
            if (message.fetchPort != null && $Object.hasOwnProperty.call(message, "fetchPort") && message.fetchPort !== 0)
                writer.uint32(32).int32(message.fetchPort);
            if (message.replicatePort != null && $Object.hasOwnProperty.call(message, "replicatePort") && message.replicatePort !== 0)
                writer.uint32(40).int32(message.replicatePort);
            if (message.disks != null && message.disks.length)
                for (var i = 0; i < message.disks.length; ++i)
                    $root.celeborn.PbDiskInfo.encode(message.disks[i], writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.userResourceConsumption != null && $Object.hasOwnProperty.call(message, "userResourceConsumption"))
                for (var keys = $Object.keys(message.userResourceConsumption), i = 0; i < keys.length; ++i) {
                    writer.uint32(66).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbResourceConsumption.encode(message.userResourceConsumption[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(74).string(message.requestId);
            if (message.internalPort != null && $Object.hasOwnProperty.call(message, "internalPort") && message.internalPort !== 0)
                writer.uint32(80).int32(message.internalPort);
            if (message.networkLocation != null && $Object.hasOwnProperty.call(message, "networkLocation") && message.networkLocation !== "")
                writer.uint32(90).string(message.networkLocation);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterWorker.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterWorker();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.host = value;
                        else
                            delete message.host;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.rpcPort = value;
                        else
                            delete message.rpcPort;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.pushPort = value;
                        else
                            delete message.pushPort;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fetchPort = value;
                        else
                            delete message.fetchPort;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.replicatePort = value;
                        else
                            delete message.replicatePort;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (!(message.disks && message.disks.length))
                            message.disks = [];
                        message.disks.push($root.celeborn.PbDiskInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        if (message.userResourceConsumption === $util.emptyObject)
                            message.userResourceConsumption = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbResourceConsumption.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.userResourceConsumption, key);
                        message.userResourceConsumption[key] = value || new $root.celeborn.PbResourceConsumption();
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                case 10: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.internalPort = value;
                        else
                            delete message.internalPort;
                        continue;
                    }
                case 11: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.networkLocation = value;
                        else
                            delete message.networkLocation;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterWorker;
    })();

    celeborn.PbRegisterWorkerResponse = (function() {

        var PbRegisterWorkerResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterWorkerResponse.prototype.success = false;
        PbRegisterWorkerResponse.prototype.message = "";

        PbRegisterWorkerResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(8).bool(message.success);
            if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                writer.uint32(18).string(message.message);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterWorkerResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterWorkerResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.message = value;
                        else
                            delete message.message;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterWorkerResponse;
    })();

    celeborn.PbWorkerStatus = (function() {

        var PbWorkerStatus = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbWorkerStatus.prototype.state = 0;
        PbWorkerStatus.prototype.stateStartTime = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbWorkerStatus.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== 0)
                writer.uint32(8).int32(message.state);
            if (message.stateStartTime != null && $Object.hasOwnProperty.call(message, "stateStartTime") && (typeof message.stateStartTime === "object" ? message.stateStartTime.low || message.stateStartTime.high : message.stateStartTime !== 0))
                writer.uint32(16).int64(message.stateStartTime);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbWorkerStatus.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbWorkerStatus();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.state = value;
                        else
                            delete message.state;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.stateStartTime = value;
                        else
                            delete message.stateStartTime;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbWorkerStatus;
    })();

    celeborn.PbHeartbeatFromWorker = (function() {

        var PbHeartbeatFromWorker = function (properties) {
            this.disks = [];
            this.activeShuffleKeys = [];
            this.userResourceConsumption = {};
            this.estimatedAppDiskUsage = {};
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbHeartbeatFromWorker.prototype.host = "";
        PbHeartbeatFromWorker.prototype.rpcPort = 0;
        PbHeartbeatFromWorker.prototype.pushPort = 0;
        PbHeartbeatFromWorker.prototype.fetchPort = 0;
        PbHeartbeatFromWorker.prototype.replicatePort = 0;
        PbHeartbeatFromWorker.prototype.disks = $util.emptyArray;
        PbHeartbeatFromWorker.prototype.activeShuffleKeys = $util.emptyArray;
        PbHeartbeatFromWorker.prototype.requestId = "";
        PbHeartbeatFromWorker.prototype.userResourceConsumption = $util.emptyObject;
        PbHeartbeatFromWorker.prototype.estimatedAppDiskUsage = $util.emptyObject;
        PbHeartbeatFromWorker.prototype.highWorkload = false;
        PbHeartbeatFromWorker.prototype.workerStatus = null;

        PbHeartbeatFromWorker.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
                writer.uint32(10).string(message.host);
            if (message.rpcPort != null && $Object.hasOwnProperty.call(message, "rpcPort") && message.rpcPort !== 0)
                writer.uint32(16).int32(message.rpcPort);
            if (message.pushPort != null && $Object.hasOwnProperty.call(message, "pushPort") && message.pushPort !== 0)
                writer.uint32(24).int32(message.pushPort);
            if (message.fetchPort != null && $Object.hasOwnProperty.call(message, "fetchPort") && message.fetchPort !== 0)
                writer.uint32(32).int32(message.fetchPort);
            if (message.replicatePort != null && $Object.hasOwnProperty.call(message, "replicatePort") && message.replicatePort !== 0)
                writer.uint32(40).int32(message.replicatePort);
            if (message.disks != null && message.disks.length)
                for (var i = 0; i < message.disks.length; ++i)
                    $root.celeborn.PbDiskInfo.encode(message.disks[i], writer.uint32(50).fork(), _depth + 1).ldelim();
            if (message.activeShuffleKeys != null && message.activeShuffleKeys.length)
                for (var i = 0; i < message.activeShuffleKeys.length; ++i)
                    writer.uint32(58).string(message.activeShuffleKeys[i]);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(66).string(message.requestId);
            if (message.userResourceConsumption != null && $Object.hasOwnProperty.call(message, "userResourceConsumption"))
                for (var keys = $Object.keys(message.userResourceConsumption), i = 0; i < keys.length; ++i) {
                    writer.uint32(74).fork().uint32(10).string(keys[i]);
                    $root.celeborn.PbResourceConsumption.encode(message.userResourceConsumption[keys[i]], writer.uint32(18).fork(), _depth + 1).ldelim().ldelim();
                }
            if (message.estimatedAppDiskUsage != null && $Object.hasOwnProperty.call(message, "estimatedAppDiskUsage"))
                for (var keys = $Object.keys(message.estimatedAppDiskUsage), i = 0; i < keys.length; ++i)
                    writer.uint32(82).fork().uint32(10).string(keys[i]).uint32(16).int64(message.estimatedAppDiskUsage[keys[i]]).ldelim();
            if (message.highWorkload != null && $Object.hasOwnProperty.call(message, "highWorkload") && message.highWorkload !== false)
                writer.uint32(88).bool(message.highWorkload);
            if (message.workerStatus != null && $Object.hasOwnProperty.call(message, "workerStatus"))
                $root.celeborn.PbWorkerStatus.encode(message.workerStatus, writer.uint32(98).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbHeartbeatFromWorker.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, key, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbHeartbeatFromWorker();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.host = value;
                        else
                            delete message.host;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.rpcPort = value;
                        else
                            delete message.rpcPort;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.pushPort = value;
                        else
                            delete message.pushPort;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fetchPort = value;
                        else
                            delete message.fetchPort;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.replicatePort = value;
                        else
                            delete message.replicatePort;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if (!(message.disks && message.disks.length))
                            message.disks = [];
                        message.disks.push($root.celeborn.PbDiskInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 7: {
                        if (wireType !== 2)
                            break;
                        if (!(message.activeShuffleKeys && message.activeShuffleKeys.length))
                            message.activeShuffleKeys = [];
                        message.activeShuffleKeys.push(reader.stringVerify());
                        continue;
                    }
                case 8: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                case 9: {
                        if (wireType !== 2)
                            break;
                        if (message.userResourceConsumption === $util.emptyObject)
                            message.userResourceConsumption = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = null;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 2)
                                    break;
                                value = $root.celeborn.PbResourceConsumption.decode(reader, reader.size(), $undefined, _depth + 1, value);
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.userResourceConsumption, key);
                        message.userResourceConsumption[key] = value || new $root.celeborn.PbResourceConsumption();
                        continue;
                    }
                case 10: {
                        if (wireType !== 2)
                            break;
                        if (message.estimatedAppDiskUsage === $util.emptyObject)
                            message.estimatedAppDiskUsage = {};
                        var end2 = reader.size() + reader.pos;
                        if (end2 > reader.len)
                            throw $RangeError("index out of range");
                        reader.len = end2;
                        key = "";
                        value = $util.Long ? $util.Long.fromNumber(0, false) : 0;
                        while (reader.pos < end2) {
                            var tag2 = reader.tag();
                            wireType = tag2 & 7;
                            switch (tag2 >>>= 3) {
                            case 1:
                                if (wireType !== 2)
                                    break;
                                key = reader.stringVerify();
                                continue;
                            case 2:
                                if (wireType !== 0)
                                    break;
                                value = reader.int64();
                                continue;
                            }
                            reader.skipType(wireType, _depth, tag2);
                        }
                        if (reader.pos !== end2)
                            throw $RangeError("index out of range");
                        reader.len = end;
                        if (key === "__proto__")
                            $util.makeProp(message.estimatedAppDiskUsage, key);
                        message.estimatedAppDiskUsage[key] = value;
                        continue;
                    }
                case 11: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.highWorkload = value;
                        else
                            delete message.highWorkload;
                        continue;
                    }
                case 12: {
                        if (wireType !== 2)
                            break;
                        message.workerStatus = $root.celeborn.PbWorkerStatus.decode(reader, reader.size(), $undefined, _depth + 1, message.workerStatus);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbHeartbeatFromWorker;
    })();

    celeborn.PbHeartbeatFromWorkerResponse = (function() {

        var PbHeartbeatFromWorkerResponse = function (properties) {
            this.expiredShuffleKeys = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbHeartbeatFromWorkerResponse.prototype.expiredShuffleKeys = $util.emptyArray;
        PbHeartbeatFromWorkerResponse.prototype.registered = false;
        PbHeartbeatFromWorkerResponse.prototype.workerEventType = 0;

        PbHeartbeatFromWorkerResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.expiredShuffleKeys != null && message.expiredShuffleKeys.length)
                for (var i = 0; i < message.expiredShuffleKeys.length; ++i)
                    writer.uint32(10).string(message.expiredShuffleKeys[i]);
            if (message.registered != null && $Object.hasOwnProperty.call(message, "registered") && message.registered !== false)
                writer.uint32(16).bool(message.registered);
            if (message.workerEventType != null && $Object.hasOwnProperty.call(message, "workerEventType") && message.workerEventType !== 0)
                writer.uint32(24).int32(message.workerEventType);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbHeartbeatFromWorkerResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbHeartbeatFromWorkerResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.expiredShuffleKeys && message.expiredShuffleKeys.length))
                            message.expiredShuffleKeys = [];
                        message.expiredShuffleKeys.push(reader.stringVerify());
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.registered = value;
                        else
                            delete message.registered;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.workerEventType = value;
                        else
                            delete message.workerEventType;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbHeartbeatFromWorkerResponse;
    })();

    celeborn.PbWorkerLost = (function() {

        var PbWorkerLost = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbWorkerLost.prototype.host = "";
        PbWorkerLost.prototype.rpcPort = 0;
        PbWorkerLost.prototype.pushPort = 0;
        PbWorkerLost.prototype.fetchPort = 0;
        PbWorkerLost.prototype.replicatePort = 0;
        PbWorkerLost.prototype.requestId = "";

        PbWorkerLost.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.host != null && $Object.hasOwnProperty.call(message, "host") && message.host !== "")
                writer.uint32(10).string(message.host);
            if (message.rpcPort != null && $Object.hasOwnProperty.call(message, "rpcPort") && message.rpcPort !== 0)
                writer.uint32(16).int32(message.rpcPort);
            if (message.pushPort != null && $Object.hasOwnProperty.call(message, "pushPort") && message.pushPort !== 0)
                writer.uint32(24).int32(message.pushPort);
            if (message.fetchPort != null && $Object.hasOwnProperty.call(message, "fetchPort") && message.fetchPort !== 0)
                writer.uint32(32).int32(message.fetchPort);
            if (message.replicatePort != null && $Object.hasOwnProperty.call(message, "replicatePort") && message.replicatePort !== 0)
                writer.uint32(40).int32(message.replicatePort);
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(50).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbWorkerLost.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbWorkerLost();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.host = value;
                        else
                            delete message.host;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.rpcPort = value;
                        else
                            delete message.rpcPort;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.pushPort = value;
                        else
                            delete message.pushPort;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.fetchPort = value;
                        else
                            delete message.fetchPort;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.replicatePort = value;
                        else
                            delete message.replicatePort;
                        continue;
                    }
                case 6: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbWorkerLost;
    })();

    celeborn.PbWorkerLostResponse = (function() {

        var PbWorkerLostResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbWorkerLostResponse.prototype.success = false;

        PbWorkerLostResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.success != null && $Object.hasOwnProperty.call(message, "success") && message.success !== false)
                writer.uint32(8).bool(message.success);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbWorkerLostResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbWorkerLostResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.success = value;
                        else
                            delete message.success;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbWorkerLostResponse;
    })();

    celeborn.PbReportWorkerUnavailable = (function() {

        var PbReportWorkerUnavailable = function (properties) {
            this.workers = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbReportWorkerUnavailable.prototype.workers = $util.emptyArray;
        PbReportWorkerUnavailable.prototype.requestId = "";

        PbReportWorkerUnavailable.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.workers != null && message.workers.length)
                for (var i = 0; i < message.workers.length; ++i)
                    $root.celeborn.PbWorkerInfo.encode(message.workers[i], writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.requestId != null && $Object.hasOwnProperty.call(message, "requestId") && message.requestId !== "")
                writer.uint32(18).string(message.requestId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbReportWorkerUnavailable.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbReportWorkerUnavailable();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if (!(message.workers && message.workers.length))
                            message.workers = [];
                        message.workers.push($root.celeborn.PbWorkerInfo.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.requestId = value;
                        else
                            delete message.requestId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbReportWorkerUnavailable;
    })();

    celeborn.PbOpenStream = (function() {

        var PbOpenStream = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbOpenStream.prototype.shuffleKey = "";
        PbOpenStream.prototype.fileName = "";
        PbOpenStream.prototype.startIndex = 0;
        PbOpenStream.prototype.endIndex = 0;
        PbOpenStream.prototype.initialCredit = 0;
        PbOpenStream.prototype.readLocalShuffle = false;

        PbOpenStream.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleKey != null && $Object.hasOwnProperty.call(message, "shuffleKey") && message.shuffleKey !== "")
                writer.uint32(10).string(message.shuffleKey);
            if (message.fileName != null && $Object.hasOwnProperty.call(message, "fileName") && message.fileName !== "")
                writer.uint32(18).string(message.fileName);
            if (message.startIndex != null && $Object.hasOwnProperty.call(message, "startIndex") && message.startIndex !== 0)
                writer.uint32(24).int32(message.startIndex);
            if (message.endIndex != null && $Object.hasOwnProperty.call(message, "endIndex") && message.endIndex !== 0)
                writer.uint32(32).int32(message.endIndex);
            if (message.initialCredit != null && $Object.hasOwnProperty.call(message, "initialCredit") && message.initialCredit !== 0)
                writer.uint32(40).int32(message.initialCredit);
            if (message.readLocalShuffle != null && $Object.hasOwnProperty.call(message, "readLocalShuffle") && message.readLocalShuffle !== false)
                writer.uint32(48).bool(message.readLocalShuffle);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbOpenStream.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbOpenStream();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.shuffleKey = value;
                        else
                            delete message.shuffleKey;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.fileName = value;
                        else
                            delete message.fileName;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.startIndex = value;
                        else
                            delete message.startIndex;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.endIndex = value;
                        else
                            delete message.endIndex;
                        continue;
                    }
                case 5: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.initialCredit = value;
                        else
                            delete message.initialCredit;
                        continue;
                    }
                case 6: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.readLocalShuffle = value;
                        else
                            delete message.readLocalShuffle;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbOpenStream;
    })();

    celeborn.PbStreamHandler = (function() {

        var PbStreamHandler = function (properties) {
            this.chunkOffsets = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbStreamHandler.prototype.streamId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbStreamHandler.prototype.numChunks = 0;
        PbStreamHandler.prototype.chunkOffsets = $util.emptyArray;
        PbStreamHandler.prototype.fullPath = "";

        PbStreamHandler.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamId != null && $Object.hasOwnProperty.call(message, "streamId") && (typeof message.streamId === "object" ? message.streamId.low || message.streamId.high : message.streamId !== 0))
                writer.uint32(8).int64(message.streamId);
            if (message.numChunks != null && $Object.hasOwnProperty.call(message, "numChunks") && message.numChunks !== 0)
                writer.uint32(16).int32(message.numChunks);
            if (message.chunkOffsets != null && message.chunkOffsets.length)
                writer.uint32(26).int64s(message.chunkOffsets);
            if (message.fullPath != null && $Object.hasOwnProperty.call(message, "fullPath") && message.fullPath !== "")
                writer.uint32(34).string(message.fullPath);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbStreamHandler.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbStreamHandler();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.streamId = value;
                        else
                            delete message.streamId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.numChunks = value;
                        else
                            delete message.numChunks;
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.chunkOffsets && message.chunkOffsets.length))
                                message.chunkOffsets = [];
                            reader.int64s(message.chunkOffsets);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.chunkOffsets && message.chunkOffsets.length))
                            message.chunkOffsets = [];
                        message.chunkOffsets.push(reader.int64());
                        continue;
                    }
                case 4: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.fullPath = value;
                        else
                            delete message.fullPath;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbStreamHandler;
    })();

    celeborn.PbOpenStreamList = (function() {

        var PbOpenStreamList = function (properties) {
            this.fileName = [];
            this.startIndex = [];
            this.endIndex = [];
            this.initialCredit = [];
            this.readLocalShuffle = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbOpenStreamList.prototype.shuffleKey = "";
        PbOpenStreamList.prototype.fileName = $util.emptyArray;
        PbOpenStreamList.prototype.startIndex = $util.emptyArray;
        PbOpenStreamList.prototype.endIndex = $util.emptyArray;
        PbOpenStreamList.prototype.initialCredit = $util.emptyArray;
        PbOpenStreamList.prototype.readLocalShuffle = $util.emptyArray;

        PbOpenStreamList.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.shuffleKey != null && $Object.hasOwnProperty.call(message, "shuffleKey") && message.shuffleKey !== "")
                writer.uint32(10).string(message.shuffleKey);
            if (message.fileName != null && message.fileName.length)
                for (var i = 0; i < message.fileName.length; ++i)
                    writer.uint32(18).string(message.fileName[i]);
            if (message.startIndex != null && message.startIndex.length)
                writer.uint32(26).int32s(message.startIndex);
            if (message.endIndex != null && message.endIndex.length)
                writer.uint32(34).int32s(message.endIndex);
            if (message.initialCredit != null && message.initialCredit.length)
                writer.uint32(42).int32s(message.initialCredit);
            if (message.readLocalShuffle != null && message.readLocalShuffle.length)
                writer.uint32(50).bools(message.readLocalShuffle);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbOpenStreamList.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbOpenStreamList();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.shuffleKey = value;
                        else
                            delete message.shuffleKey;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.fileName && message.fileName.length))
                            message.fileName = [];
                        message.fileName.push(reader.stringVerify());
                        continue;
                    }
                case 3: {
                        if (wireType === 2) {
                            if (!(message.startIndex && message.startIndex.length))
                                message.startIndex = [];
                            reader.int32s(message.startIndex);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.startIndex && message.startIndex.length))
                            message.startIndex = [];
                        message.startIndex.push(reader.int32());
                        continue;
                    }
                case 4: {
                        if (wireType === 2) {
                            if (!(message.endIndex && message.endIndex.length))
                                message.endIndex = [];
                            reader.int32s(message.endIndex);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.endIndex && message.endIndex.length))
                            message.endIndex = [];
                        message.endIndex.push(reader.int32());
                        continue;
                    }
                case 5: {
                        if (wireType === 2) {
                            if (!(message.initialCredit && message.initialCredit.length))
                                message.initialCredit = [];
                            reader.int32s(message.initialCredit);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.initialCredit && message.initialCredit.length))
                            message.initialCredit = [];
                        message.initialCredit.push(reader.int32());
                        continue;
                    }
                case 6: {
                        if (wireType === 2) {
                            if (!(message.readLocalShuffle && message.readLocalShuffle.length))
                                message.readLocalShuffle = [];
                            reader.bools(message.readLocalShuffle);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.readLocalShuffle && message.readLocalShuffle.length))
                            message.readLocalShuffle = [];
                        message.readLocalShuffle.push(reader.bool());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbOpenStreamList;
    })();

    celeborn.PbStreamHandlerOpt = (function() {

        var PbStreamHandlerOpt = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbStreamHandlerOpt.prototype.status = 0;
        PbStreamHandlerOpt.prototype.streamHandler = null;
        PbStreamHandlerOpt.prototype.errorMsg = "";

        PbStreamHandlerOpt.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== 0)
                writer.uint32(8).int32(message.status);
            if (message.streamHandler != null && $Object.hasOwnProperty.call(message, "streamHandler"))
                $root.celeborn.PbStreamHandler.encode(message.streamHandler, writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.errorMsg != null && $Object.hasOwnProperty.call(message, "errorMsg") && message.errorMsg !== "")
                writer.uint32(26).string(message.errorMsg);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbStreamHandlerOpt.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbStreamHandlerOpt();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        message.streamHandler = $root.celeborn.PbStreamHandler.decode(reader, reader.size(), $undefined, _depth + 1, message.streamHandler);
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.errorMsg = value;
                        else
                            delete message.errorMsg;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbStreamHandlerOpt;
    })();

    celeborn.PbOpenStreamListResponse = (function() {

        var PbOpenStreamListResponse = function (properties) {
            this.streamHandlerOpt = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbOpenStreamListResponse.prototype.streamHandlerOpt = $util.emptyArray;

        PbOpenStreamListResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamHandlerOpt != null && message.streamHandlerOpt.length)
                for (var i = 0; i < message.streamHandlerOpt.length; ++i)
                    $root.celeborn.PbStreamHandlerOpt.encode(message.streamHandlerOpt[i], writer.uint32(18).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbOpenStreamListResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbOpenStreamListResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 2: {
                        if (wireType !== 2)
                            break;
                        if (!(message.streamHandlerOpt && message.streamHandlerOpt.length))
                            message.streamHandlerOpt = [];
                        message.streamHandlerOpt.push($root.celeborn.PbStreamHandlerOpt.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbOpenStreamListResponse;
    })();

    celeborn.PbStreamChunkSlice = (function() {

        var PbStreamChunkSlice = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbStreamChunkSlice.prototype.streamId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbStreamChunkSlice.prototype.chunkIndex = 0;
        PbStreamChunkSlice.prototype.offset = 0;
        PbStreamChunkSlice.prototype.len = 0;

        PbStreamChunkSlice.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamId != null && $Object.hasOwnProperty.call(message, "streamId") && (typeof message.streamId === "object" ? message.streamId.low || message.streamId.high : message.streamId !== 0))
                writer.uint32(8).int64(message.streamId);
            if (message.chunkIndex != null && $Object.hasOwnProperty.call(message, "chunkIndex") && message.chunkIndex !== 0)
                writer.uint32(16).int32(message.chunkIndex);
            if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && message.offset !== 0)
                writer.uint32(24).int32(message.offset);
            if (message.len != null && $Object.hasOwnProperty.call(message, "len") && message.len !== 0)
                writer.uint32(32).int32(message.len);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbStreamChunkSlice.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbStreamChunkSlice();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.streamId = value;
                        else
                            delete message.streamId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.chunkIndex = value;
                        else
                            delete message.chunkIndex;
                        continue;
                    }
                case 3: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.offset = value;
                        else
                            delete message.offset;
                        continue;
                    }
                case 4: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.len = value;
                        else
                            delete message.len;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbStreamChunkSlice;
    })();

    celeborn.PbChunkFetchRequest = (function() {

        var PbChunkFetchRequest = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbChunkFetchRequest.prototype.streamChunkSlice = null;

        PbChunkFetchRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamChunkSlice != null && $Object.hasOwnProperty.call(message, "streamChunkSlice"))
                $root.celeborn.PbStreamChunkSlice.encode(message.streamChunkSlice, writer.uint32(10).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbChunkFetchRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbChunkFetchRequest();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        message.streamChunkSlice = $root.celeborn.PbStreamChunkSlice.decode(reader, reader.size(), $undefined, _depth + 1, message.streamChunkSlice);
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbChunkFetchRequest;
    })();

    celeborn.PbBufferStreamEnd = (function() {

        var PbBufferStreamEnd = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbBufferStreamEnd.prototype.streamType = 0;
        PbBufferStreamEnd.prototype.streamId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

        PbBufferStreamEnd.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamType != null && $Object.hasOwnProperty.call(message, "streamType") && message.streamType !== 0)
                writer.uint32(8).int32(message.streamType);
            if (message.streamId != null && $Object.hasOwnProperty.call(message, "streamId") && (typeof message.streamId === "object" ? message.streamId.low || message.streamId.high : message.streamId !== 0))
                writer.uint32(16).int64(message.streamId);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbBufferStreamEnd.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbBufferStreamEnd();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.streamType = value;
                        else
                            delete message.streamType;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.streamId = value;
                        else
                            delete message.streamId;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbBufferStreamEnd;
    })();

    celeborn.PbTransportableError = (function() {

        var PbTransportableError = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbTransportableError.prototype.streamId = $util.Long ? $util.Long.fromBits(0,0,false) : 0;
        PbTransportableError.prototype.message = "";

        PbTransportableError.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.streamId != null && $Object.hasOwnProperty.call(message, "streamId") && (typeof message.streamId === "object" ? message.streamId.low || message.streamId.high : message.streamId !== 0))
                writer.uint32(8).int64(message.streamId);
            if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                writer.uint32(18).string(message.message);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbTransportableError.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbTransportableError();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (typeof (value = reader.int64()) === "object" ? value.low || value.high : value !== 0)
                            message.streamId = value;
                        else
                            delete message.streamId;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.message = value;
                        else
                            delete message.message;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbTransportableError;
    })();

    celeborn.PbPushMergedDataSplitPartitionInfo = (function() {

        var PbPushMergedDataSplitPartitionInfo = function (properties) {
            this.splitPartitionIndexes = [];
            this.statusCodes = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbPushMergedDataSplitPartitionInfo.prototype.splitPartitionIndexes = $util.emptyArray;
        PbPushMergedDataSplitPartitionInfo.prototype.statusCodes = $util.emptyArray;

        PbPushMergedDataSplitPartitionInfo.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.splitPartitionIndexes != null && message.splitPartitionIndexes.length)
                writer.uint32(10).int32s(message.splitPartitionIndexes);
            if (message.statusCodes != null && message.statusCodes.length)
                writer.uint32(18).int32s(message.statusCodes);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbPushMergedDataSplitPartitionInfo.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbPushMergedDataSplitPartitionInfo();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType === 2) {
                            if (!(message.splitPartitionIndexes && message.splitPartitionIndexes.length))
                                message.splitPartitionIndexes = [];
                            reader.int32s(message.splitPartitionIndexes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.splitPartitionIndexes && message.splitPartitionIndexes.length))
                            message.splitPartitionIndexes = [];
                        message.splitPartitionIndexes.push(reader.int32());
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.statusCodes && message.statusCodes.length))
                                message.statusCodes = [];
                            reader.int32s(message.statusCodes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.statusCodes && message.statusCodes.length))
                            message.statusCodes = [];
                        message.statusCodes.push(reader.int32());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbPushMergedDataSplitPartitionInfo;
    })();

    celeborn.PbSaslMechanism = (function() {

        var PbSaslMechanism = function (properties) {
            this.authTypes = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbSaslMechanism.prototype.mechanism = "";
        PbSaslMechanism.prototype.authTypes = $util.emptyArray;

        PbSaslMechanism.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.mechanism != null && $Object.hasOwnProperty.call(message, "mechanism") && message.mechanism !== "")
                writer.uint32(10).string(message.mechanism);
            if (message.authTypes != null && message.authTypes.length)
                writer.uint32(18).int32s(message.authTypes);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbSaslMechanism.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbSaslMechanism();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.mechanism = value;
                        else
                            delete message.mechanism;
                        continue;
                    }
                case 2: {
                        if (wireType === 2) {
                            if (!(message.authTypes && message.authTypes.length))
                                message.authTypes = [];
                            reader.int32s(message.authTypes);
                            continue;
                        }
                        if (wireType !== 0)
                            break;
                        if (!(message.authTypes && message.authTypes.length))
                            message.authTypes = [];
                        message.authTypes.push(reader.int32());
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbSaslMechanism;
    })();

    celeborn.PbAuthenticationInitiationRequest = (function() {

        var PbAuthenticationInitiationRequest = function (properties) {
            this.saslMechanisms = [];
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbAuthenticationInitiationRequest.prototype.version = "";
        PbAuthenticationInitiationRequest.prototype.authEnabled = false;
        PbAuthenticationInitiationRequest.prototype.saslMechanisms = $util.emptyArray;

        PbAuthenticationInitiationRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== "")
                writer.uint32(10).string(message.version);
            if (message.authEnabled != null && $Object.hasOwnProperty.call(message, "authEnabled") && message.authEnabled !== false)
                writer.uint32(16).bool(message.authEnabled);
            if (message.saslMechanisms != null && message.saslMechanisms.length)
                for (var i = 0; i < message.saslMechanisms.length; ++i)
                    $root.celeborn.PbSaslMechanism.encode(message.saslMechanisms[i], writer.uint32(26).fork(), _depth + 1).ldelim();
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbAuthenticationInitiationRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbAuthenticationInitiationRequest();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.version = value;
                        else
                            delete message.version;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.authEnabled = value;
                        else
                            delete message.authEnabled;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if (!(message.saslMechanisms && message.saslMechanisms.length))
                            message.saslMechanisms = [];
                        message.saslMechanisms.push($root.celeborn.PbSaslMechanism.decode(reader, reader.size(), $undefined, _depth + 1));
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbAuthenticationInitiationRequest;
    })();

    celeborn.PbSaslRequest = (function() {

        var PbSaslRequest = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbSaslRequest.prototype.method = "";
        PbSaslRequest.prototype.authType = 0;
        PbSaslRequest.prototype.payload = $util.newBuffer([]);

        PbSaslRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.method != null && $Object.hasOwnProperty.call(message, "method") && message.method !== "")
                writer.uint32(10).string(message.method);
            if (message.authType != null && $Object.hasOwnProperty.call(message, "authType") && message.authType !== 0)
                writer.uint32(16).int32(message.authType);
            if (message.payload != null && $Object.hasOwnProperty.call(message, "payload") && message.payload.length)
                writer.uint32(26).bytes(message.payload);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbSaslRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbSaslRequest();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.method = value;
                        else
                            delete message.method;
                        continue;
                    }
                case 2: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.int32())
                            message.authType = value;
                        else
                            delete message.authType;
                        continue;
                    }
                case 3: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.bytes()).length)
                            message.payload = value;
                        else
                            delete message.payload;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbSaslRequest;
    })();

    celeborn.PbRegisterApplicationRequest = (function() {

        var PbRegisterApplicationRequest = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterApplicationRequest.prototype.id = "";
        PbRegisterApplicationRequest.prototype.secret = "";

        PbRegisterApplicationRequest.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                writer.uint32(10).string(message.id);
            if (message.secret != null && $Object.hasOwnProperty.call(message, "secret") && message.secret !== "")
                writer.uint32(18).string(message.secret);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterApplicationRequest.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterApplicationRequest();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.id = value;
                        else
                            delete message.id;
                        continue;
                    }
                case 2: {
                        if (wireType !== 2)
                            break;
                        if ((value = reader.stringVerify()).length)
                            message.secret = value;
                        else
                            delete message.secret;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterApplicationRequest;
    })();

    celeborn.PbRegisterApplicationResponse = (function() {

        var PbRegisterApplicationResponse = function (properties) {
            if (properties)
                for (var keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                    if (properties[keys[i]] != null && keys[i] !== "__proto__")
                        this[keys[i]] = properties[keys[i]];
        };

        PbRegisterApplicationResponse.prototype.status = false;

        PbRegisterApplicationResponse.encode = function (message, writer, _depth) {
            if (!writer)
                writer = $Writer.create();
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $util.recursionLimit)
                throw $Error("max depth exceeded");
            if (message.status != null && $Object.hasOwnProperty.call(message, "status") && message.status !== false)
                writer.uint32(8).bool(message.status);
            if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                for (var i = 0; i < message.$unknowns.length; ++i)
                    writer.raw(message.$unknowns[i]);
            return writer;
        };

        PbRegisterApplicationResponse.decode = function (reader, length, _end, _depth, _target) {
            if (!(reader instanceof $Reader))
                reader = $Reader.create(reader);
            if (_depth === $undefined)
                _depth = 0;
            if (_depth > $Reader.recursionLimit)
                throw $Error("max depth exceeded");
            var end, message, value;
            if (length === $undefined)
                end = reader.len;
            else {
                end = reader.pos + length;
                if (end > reader.len)
                    throw $RangeError("index out of range");
                length = reader.len;
                reader.len = end;
            }
            message = _target || new $root.celeborn.PbRegisterApplicationResponse();
            while (reader.pos < end) {
                var start = reader.pos;
                var tag = reader.tag();
                if (tag === _end) {
                    _end = $undefined;
                    break;
                }
                var wireType = tag & 7;
                switch (tag >>>= 3) {
                case 1: {
                        if (wireType !== 0)
                            break;
                        if (value = reader.bool())
                            message.status = value;
                        else
                            delete message.status;
                        continue;
                    }
                }
                reader.skipType(wireType, _depth, tag);
                if (!reader.discardUnknown) {
                    $util.makeProp(message, "$unknowns", false);
                    (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                }
            }
            if (length !== $undefined) {
                if (reader.pos !== end)
                    throw $RangeError("index out of range");
                reader.len = length;
            }
            if (_end !== $undefined)
                throw $Error("missing end group");
            return message;
        };

        return PbRegisterApplicationResponse;
    })();

    return celeborn;
})();

module.exports = $root;
