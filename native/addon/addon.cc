// The glue between native/core and JavaScript, and the only file that includes Node's headers. What it
// exports is declared and described in src/memory/native.ts.
//
// Rules of this file:
//
// JavaScript values and references live and die on the thread of their environment. Native memory may die
// anywhere.
//
// Finalizers touch native memory and atomics only: no JavaScript, no allocation on V8's heap, no logging.
// They come when V8 likes, on whichever thread ends the environment, and find their block by handle: the
// address they are given may belong to somebody else by then.
//
// Any call into Node may fail because a worker is being terminated. Then the work is undone and nothing is
// thrown.
#include <dlfcn.h>
#include <napi.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "frame_heap.h"
#include "poison.h"

namespace {

using celeborn::Counters;
using celeborn::End;
using celeborn::Frame;
using celeborn::FrameHeap;
using celeborn::FramePool;
using celeborn::Handle;
using celeborn::kMaxFrameBytes;
using celeborn::PoolOptions;
using celeborn::Status;

// Places in the array of numbers; `N` in src/memory/native.ts.
enum Number : uint8_t {
  kStatus = 0,
  kIndex = 1,
  kGeneration = 2,
  kBacked = 3,
  kDropped = 4,
  kCopied = 5,
  kErrno = 6,
  kFramesAlive = 8,
  kBytesAlive = 9,
  kPeakFramesAlive = 10,
  kPeakBytesAlive = 11,
  kFramesAllocated = 12,
  kBlocksAllocated = 13,
  kPooledBytes = 14,
  kFinalizedWithoutRelease = 15,
  kDroppedHandles = 16,
  kNumbers = 24,
};
constexpr size_t kDroppedPairs = (kNumbers - kDroppedHandles) / 2;

enum ReleaseResult : uint8_t { kRecycled = 0, kStale = 1, kLingers = 2 };

class NativePool;

// What one environment (the main thread, a worker) has. Only its own thread touches it. It is shared by the
// instance data, the cleanup hook and the pools, because nothing says in which order Node ends those.
struct Environment {
  std::unordered_set<NativePool*> pools;
  double* numbers = nullptr;  // the memory of `buffer`
  Napi::Reference<Napi::ArrayBuffer> buffer;
  bool forbidden = false;  // test switch: external buffers are refused
  bool probed = false;
  bool external_allowed = false;
  int64_t unreported = 0;  // pooled bytes that V8 still has to be told of, of pools that are gone
  std::byte probe{};
};
using EnvironmentPtr = std::shared_ptr<Environment>;

EnvironmentPtr& EnvironmentOf(Napi::Env env) {
  return *env.GetInstanceData<EnvironmentPtr>();
}

// V8 has let go of a frame's buffer, some time after the frame ended - or before, when nobody released it.
void OnBufferGone(napi_env /*env*/, void* /*data*/, void* hint) {
  // A frame that ended by a release is a stale handle here.
  FrameHeap::Process().Finish(Handle::Unpack(reinterpret_cast<uintptr_t>(hint)), End::kFinalized);
}

void OnMapGone(napi_env /*env*/, void* /*data*/, void* hint) {
  FrameHeap::ProcessMaps().Finish(Handle::Unpack(reinterpret_cast<uintptr_t>(hint)), End::kFinalized);
}

void* HintOf(Handle handle) {
  static_assert(sizeof(void*) == sizeof(uint64_t), "a handle travels as the finalizer's hint");
  return reinterpret_cast<void*>(static_cast<uintptr_t>(handle.Pack()));
}

// The one place where external buffers are made, so that no caller forgets what a runtime with a memory cage
// answers.
napi_status NewExternalBuffer(napi_env env, const Environment& state, void* data, size_t bytes,
                              napi_finalize finalize, void* hint, napi_value* buffer) {
  if (state.forbidden) return napi_no_external_buffers_allowed;
  return napi_create_external_arraybuffer(env, data, bytes, finalize, hint, buffer);
}

// Whether this runtime allows external buffers: asked once per environment.
bool ExternalAllowed(napi_env env, Environment* state) {
  if (!state->probed) {
    napi_value buffer = nullptr;
    const napi_status status =
        NewExternalBuffer(env, *state, &state->probe, 1, [](napi_env, void*, void*) {}, nullptr, &buffer);
    // The probe's memory dies with the environment: no buffer may show it longer.
    if (status == napi_ok) napi_detach_arraybuffer(env, buffer);
    state->external_allowed = status != napi_no_external_buffers_allowed;
    state->probed = true;
  }
  return state->external_allowed;
}

void WriteCounters(const Counters& counters, double* numbers) {
  numbers[kFramesAlive] = static_cast<double>(counters.frames_alive);
  numbers[kBytesAlive] = static_cast<double>(counters.bytes_alive);
  numbers[kPeakFramesAlive] = static_cast<double>(counters.peak_frames_alive);
  numbers[kPeakBytesAlive] = static_cast<double>(counters.peak_bytes_alive);
  numbers[kFramesAllocated] = static_cast<double>(counters.frames_allocated);
  numbers[kBlocksAllocated] = static_cast<double>(counters.blocks_allocated);
  numbers[kPooledBytes] = static_cast<double>(counters.pooled_bytes);
  numbers[kFinalizedWithoutRelease] = static_cast<double>(counters.finalized_without_release);
}

// What JavaScript calls a function with. Unlike Napi::CallbackInfo it allocates nothing, and throws nothing
// when a worker is being terminated.
class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info) : env_(env) {
    size_t count = kMost;
    // Those that are not given are undefined, those beyond are left out.
    valid_ = napi_get_cb_info(env, info, &count, values_, nullptr, &data_) == napi_ok;
  }
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] napi_env Env() const { return env_; }
  [[nodiscard]] void* Data() const { return data_; }
  napi_value operator[](size_t i) const { return values_[i]; }

 private:
  static constexpr size_t kMost = 3;
  const napi_env env_;
  napi_value values_[kMost] = {};
  void* data_ = nullptr;
  bool valid_ = false;
};

double NumberAt(const Arguments& arguments, size_t i) {
  double value = NAN;
  if (napi_get_value_double(arguments.Env(), arguments[i], &value) != napi_ok) return NAN;
  return value;
}

Handle HandleAt(const Arguments& arguments, size_t i) {
  Handle handle;
  if (napi_get_value_uint32(arguments.Env(), arguments[i], &handle.index) != napi_ok ||
      napi_get_value_uint32(arguments.Env(), arguments[i + 1], &handle.generation) != napi_ok) {
    return {};  // generation 0: stale
  }
  return handle;
}

bool FlagAt(const Arguments& arguments, size_t i) {
  bool value = false;
  return napi_get_value_bool(arguments.Env(), arguments[i], &value) == napi_ok && value;
}

size_t BytesOption(double value) {
  if (!(value >= 0)) return 0;
  constexpr double kMax = 9007199254740992.0;  // 2^53: no machine has more
  return static_cast<size_t>(value < kMax ? value : kMax);
}

template <Napi::Value (*kBody)(const Arguments&)>
napi_value CallFunction(napi_env env, napi_callback_info raw) {
  const Arguments arguments(env, raw);
  if (!arguments.valid()) return nullptr;
  return kBody(arguments);
}

template <class T>
using Body = Napi::Value (T::*)(const Arguments&);

template <class T, Body<T> kBody>
napi_value CallMethod(napi_env env, napi_callback_info raw) {
  const Arguments arguments(env, raw);
  if (!arguments.valid()) return nullptr;
  T& self = **static_cast<std::shared_ptr<T>*>(arguments.Data());
  return (self.*kBody)(arguments);
}

// Objects have functions of their own, each of which keeps the state alive, and no class: Node.js ends the
// process when a worker is terminated within napi_define_class.
template <class T, Body<T> kBody>
bool AddMethod(napi_env env, napi_value object, const char* name, const std::shared_ptr<T>& state) {
  const auto let_go = [](napi_env, void* held, void*) { delete static_cast<std::shared_ptr<T>*>(held); };
  auto held = std::make_unique<std::shared_ptr<T>>(state);
  napi_value method = nullptr;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, CallMethod<T, kBody>, held.get(), &method) !=
          napi_ok ||
      napi_add_finalizer(env, method, held.get(), let_go, nullptr, nullptr) != napi_ok) {
    return false;
  }
  (void)held.release();  // the function's now
  return napi_set_named_property(env, object, name, method) == napi_ok;
}

class NativePool {
 public:
  // Undefined when the worker is being terminated: nobody sees it.
  static Napi::Value New(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    const auto pool = std::make_shared<NativePool>(arguments);
    napi_value object = nullptr;
    const bool whole = napi_create_object(env, &object) == napi_ok &&
                       AddMethod<NativePool, &NativePool::Acquire>(env, object, "acquire", pool) &&
                       AddMethod<NativePool, &NativePool::Release>(env, object, "release", pool) &&
                       AddMethod<NativePool, &NativePool::Abandon>(env, object, "abandon", pool) &&
                       AddMethod<NativePool, &NativePool::TrimFrame>(env, object, "trimFrame", pool) &&
                       AddMethod<NativePool, &NativePool::Trim>(env, object, "trim", pool) &&
                       AddMethod<NativePool, &NativePool::Stats>(env, object, "stats", pool) &&
                       AddMethod<NativePool, &NativePool::TakeDropped>(env, object, "takeDropped", pool) &&
                       AddMethod<NativePool, &NativePool::CloseFromScript>(env, object, "close", pool);
    return whole ? Napi::Value(env, object) : Napi::Value();
  }

  explicit NativePool(const Arguments& arguments)
      : environment_(EnvironmentOf(arguments.Env())),
        pool_(&FrameHeap::Process(),
              PoolOptions{BytesOption(NumberAt(arguments, 0)), BytesOption(NumberAt(arguments, 1))}) {
    copied_ = FlagAt(arguments, 2) || !ExternalAllowed(arguments.Env(), environment_.get());
    environment_->numbers[kCopied] = copied_ ? 1 : 0;
    environment_->pools.insert(this);
  }

  NativePool(const NativePool&) = delete;
  NativePool& operator=(const NativePool&) = delete;
  // A finalizer in most cases: native memory only.
  ~NativePool() {
    environment_->pools.erase(this);
    environment_->unreported -= reported_;
  }

  void Close() { pool_.Close(); }

 private:
  Napi::Value Acquire(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    double* numbers = environment_->numbers;
    const double wanted = NumberAt(arguments, 0);
    if (!(wanted >= 0 && wanted <= static_cast<double>(kMaxFrameBytes))) {
      numbers[kStatus] = static_cast<double>(Status::kAboveCap);
      return {};
    }
    const auto size = static_cast<size_t>(wanted);
    Frame frame = copied_ ? pool_.AcquireElsewhere(size) : pool_.Acquire(size);
    napi_value buffer = nullptr;
    if (frame.status == Status::kOk) {
      const napi_status status = copied_ ? napi_no_external_buffers_allowed
                                         : NewExternalBuffer(env, *environment_, frame.data, frame.capacity,
                                                             OnBufferGone, HintOf(frame.handle), &buffer);
      if (status == napi_no_external_buffers_allowed) {
        copied_ = true;
        if (!NewCopiedBuffer(env, frame, &buffer)) frame.status = Status::kOutOfMemory;
      } else if (status != napi_ok) {
        FrameHeap::Process().Finish(frame.handle, End::kCancelled);
        frame.status = Status::kOutOfMemory;
      }
    }
    numbers[kStatus] = static_cast<double>(frame.status);
    numbers[kIndex] = frame.handle.index;
    numbers[kGeneration] = frame.handle.generation;
    numbers[kBacked] = static_cast<double>(frame.capacity);
    numbers[kDropped] = static_cast<double>(pool_.finalized_without_release());
    numbers[kCopied] = copied_ ? 1 : 0;
    Report(env);
    if (frame.status != Status::kOk) return {};
    return {env, buffer};
  }

  // The frame's memory is an ArrayBuffer of V8's own; ours is given up at once. Its charge stays.
  static bool NewCopiedBuffer(napi_env env, const Frame& frame, napi_value* buffer) {
    FrameHeap& heap = FrameHeap::Process();
    heap.MoveElsewhere(frame.handle);
    void* data = nullptr;
    if (napi_create_arraybuffer(env, frame.capacity, &data, buffer) == napi_ok &&
        napi_add_finalizer(env, *buffer, nullptr, OnBufferGone, HintOf(frame.handle), nullptr) == napi_ok) {
      return true;
    }
    heap.Finish(frame.handle, End::kCancelled);
    return false;
  }

  Napi::Value Release(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    const Handle handle = HandleAt(arguments, 0);
    FrameHeap& heap = FrameHeap::Process();
    ReleaseResult result = kRecycled;
    if (copied_ && celeborn::PoisonEnabled()) FillBuffer(env, arguments[2]);
    // Views first: from the recycling on, the memory is somebody else's.
    if (napi_detach_arraybuffer(env, arguments[2]) == napi_ok) {
      if (heap.Finish(handle, End::kReleased) != Status::kOk) result = kStale;
    } else {
      result = heap.Abandon(handle) == Status::kOk ? kLingers : kStale;
    }
    Report(env);
    return Napi::Number::New(env, result);
  }

  static void FillBuffer(napi_env env, napi_value buffer) {
    void* data = nullptr;
    size_t bytes = 0;
    if (napi_get_arraybuffer_info(env, buffer, &data, &bytes) == napi_ok) celeborn::FillPoison(data, bytes);
  }

  Napi::Value Abandon(const Arguments& arguments) {
    FrameHeap::Process().Abandon(HandleAt(arguments, 0));
    return {};
  }

  Napi::Value TrimFrame(const Arguments& arguments) {
    const double length = NumberAt(arguments, 2);
    size_t backed = 0;
    FrameHeap::Process().Trim(HandleAt(arguments, 0), length >= 0 ? BytesOption(length) : SIZE_MAX, &backed);
    return Napi::Number::New(arguments.Env(), static_cast<double>(backed));
  }

  Napi::Value Trim(const Arguments& arguments) {
    const size_t given_back = pool_.TrimFree(0);
    Report(arguments.Env());
    return Napi::Number::New(arguments.Env(), static_cast<double>(given_back));
  }

  Napi::Value Stats(const Arguments& /*arguments*/) {
    WriteCounters(pool_.Stats(), environment_->numbers);
    return {};
  }

  Napi::Value TakeDropped(const Arguments& arguments) {
    Handle handles[kDroppedPairs];
    const size_t count = pool_.TakeDropped(handles, kDroppedPairs);
    for (size_t i = 0; i < count; ++i) {
      environment_->numbers[kDroppedHandles + 2 * i] = handles[i].index;
      environment_->numbers[kDroppedHandles + 2 * i + 1] = handles[i].generation;
    }
    return Napi::Number::New(arguments.Env(), static_cast<double>(count));
  }

  Napi::Value CloseFromScript(const Arguments& arguments) {
    pool_.Close();
    Report(arguments.Env());
    return {};
  }

  // Tells V8 how much memory the free lists hold. It sees the frames that are alive by itself, as external
  // ArrayBuffers; telling it of those too would count them twice. In steps: a call for each frame would cost
  // more than the accuracy is worth.
  void Report(napi_env env) {
    constexpr int64_t kStep = 1 << 20;
    const auto pooled = static_cast<int64_t>(pool_.pooled_bytes());
    const int64_t change = pooled - reported_;
    const bool due = change >= kStep || change <= -kStep || (pooled == 0 && change != 0);
    if (!due && environment_->unreported == 0) return;
    int64_t total = 0;
    // This may collect garbage; the state is right before the call, so re-entry is harmless.
    const int64_t adjust = change + environment_->unreported;
    reported_ = pooled;
    environment_->unreported = 0;
    napi_adjust_external_memory(env, adjust, &total);
  }

  const EnvironmentPtr environment_;
  FramePool pool_;
  bool copied_ = false;
  int64_t reported_ = 0;
};

// Mapped files of one environment.
class NativeMaps {
 public:
  // Undefined when the worker is being terminated: nobody sees it.
  static Napi::Value New(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    const auto maps = std::make_shared<NativeMaps>(arguments);
    napi_value object = nullptr;
    const bool whole = napi_create_object(env, &object) == napi_ok &&
                       AddMethod<NativeMaps, &NativeMaps::Map>(env, object, "map", maps) &&
                       AddMethod<NativeMaps, &NativeMaps::Release>(env, object, "release", maps) &&
                       AddMethod<NativeMaps, &NativeMaps::Stats>(env, object, "stats", maps);
    return whole ? Napi::Value(env, object) : Napi::Value();
  }

  explicit NativeMaps(const Arguments& arguments)
      : environment_(EnvironmentOf(arguments.Env())), maps_(&FrameHeap::ProcessMaps(), PoolOptions{}) {
    environment_->numbers[kCopied] = ExternalAllowed(arguments.Env(), environment_.get()) ? 0 : 1;
  }

 private:
  Napi::Value Map(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    double* numbers = environment_->numbers;
    int32_t descriptor = -1;
    napi_get_value_int32(env, arguments[0], &descriptor);
    const double offset = NumberAt(arguments, 1);
    const double bytes = NumberAt(arguments, 2);
    int error = EINVAL;
    Frame frame;
    if (offset >= 0 && bytes > 0) {
      frame = maps_.Map(descriptor, BytesOption(offset), BytesOption(bytes), &error);
    }
    napi_value buffer = nullptr;
    if (frame.status == Status::kOk &&
        NewExternalBuffer(env, *environment_, frame.data, frame.capacity, OnMapGone, HintOf(frame.handle),
                          &buffer) != napi_ok) {
      FrameHeap::ProcessMaps().Finish(frame.handle, End::kCancelled);
      frame.status = Status::kOutOfMemory;
    }
    numbers[kStatus] = static_cast<double>(frame.status);
    numbers[kIndex] = frame.handle.index;
    numbers[kGeneration] = frame.handle.generation;
    numbers[kErrno] = error;
    if (frame.status != Status::kOk) return {};
    return {env, buffer};
  }

  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): a method of the object in JavaScript
  Napi::Value Release(const Arguments& arguments) {
    const napi_env env = arguments.Env();
    const Handle handle = HandleAt(arguments, 0);
    FrameHeap& heap = FrameHeap::ProcessMaps();
    ReleaseResult result = kRecycled;
    // Views first: an address that is unmapped under a view is a crash at its next use.
    if (napi_detach_arraybuffer(env, arguments[2]) == napi_ok) {
      if (heap.Finish(handle, End::kReleased) != Status::kOk) result = kStale;
    } else {
      result = heap.Abandon(handle) == Status::kOk ? kLingers : kStale;
    }
    return Napi::Number::New(env, result);
  }

  Napi::Value Stats(const Arguments& /*arguments*/) {
    WriteCounters(maps_.Stats(), environment_->numbers);
    return {};
  }

  const EnvironmentPtr environment_;
  FramePool maps_;
};

Napi::Value ProcessStats(const Arguments& arguments) {
  WriteCounters(FrameHeap::Process().Totals(), EnvironmentOf(arguments.Env())->numbers);
  return {};
}

Napi::Value Detach(const Arguments& arguments) {
  return Napi::Boolean::New(arguments.Env(),
                            napi_detach_arraybuffer(arguments.Env(), arguments[0]) == napi_ok);
}

Napi::Value SetPoison(const Arguments& arguments) {
  celeborn::SetPoison(FlagAt(arguments, 0));
  return {};
}

Napi::Value ForbidExternalBuffers(const Arguments& arguments) {
  Environment& state = *EnvironmentOf(arguments.Env());
  state.forbidden = FlagAt(arguments, 0);
  state.probed = false;
  return {};
}

Napi::Value ExternalMemory(const Arguments& arguments) {
  int64_t total = 0;
  napi_adjust_external_memory(arguments.Env(), 0, &total);
  return Napi::Number::New(arguments.Env(), static_cast<double>(total));
}

Napi::Value FailAllocations(const Arguments& arguments) {
  const double count = NumberAt(arguments, 0);
  celeborn::PageMemory::FailForTesting(count >= 0 && count < INT32_MAX ? static_cast<int32_t>(count) : 0);
  return {};
}

// Finalizers and V8's callbacks may come after the worker that loaded this library has gone and Node has
// closed it. The code must still be there.
void StayLoaded() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info self;
    if (dladdr(reinterpret_cast<void*>(&StayLoaded), &self) != 0) {
      dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    }
  });
}

// The environment ends: its finalizers have run or are about to. Free blocks go back now, those of frames
// that are still alive when their finalizers come.
void OnEnvironmentEnd(void* data) {
  const std::unique_ptr<EnvironmentPtr> state(static_cast<EnvironmentPtr*>(data));
  for (NativePool* pool : (*state)->pools) pool->Close();
  // Now, since nothing of the environment deletes it later.
  (*state)->buffer.Reset();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  StayLoaded();
  const auto state = std::make_shared<Environment>();

  // Raw calls with a look at each status: a worker may be terminated at any of these lines, and then every
  // call fails without an exception. A half-filled exports object is seen by nobody.
  void* memory = nullptr;
  napi_value buffer = nullptr;
  napi_value numbers = nullptr;
  if (napi_create_arraybuffer(env, kNumbers * sizeof(double), &memory, &buffer) != napi_ok ||
      napi_create_typedarray(env, napi_float64_array, kNumbers, buffer, 0, &numbers) != napi_ok) {
    return exports;
  }
  state->numbers = static_cast<double*>(memory);
  state->buffer = Napi::Persistent(Napi::ArrayBuffer(env, buffer));
  // Reset when the environment ends. If it dies with the instance data instead, after the environment's
  // references, it must not touch them.
  state->buffer.SuppressDestruct();

  env.SetInstanceData<EnvironmentPtr>(new EnvironmentPtr(state));
  auto hook = std::make_unique<EnvironmentPtr>(state);
  if (napi_add_env_cleanup_hook(env, OnEnvironmentEnd, hook.get()) != napi_ok) return exports;
  (void)hook.release();  // the hook's now

  const auto set = [&](const char* name, napi_value value) {
    if (value != nullptr) napi_set_named_property(env, exports, name, value);
  };
  set("numbers", numbers);
  set("maxFrameBytes", Napi::Number::New(env, static_cast<double>(kMaxFrameBytes - 1)));
  set("pageBytes", Napi::Number::New(env, static_cast<double>(celeborn::PageMemory::PageBytes())));
  set("trimMinBytes", Napi::Number::New(env, static_cast<double>(FrameHeap::kTrimMinBytes)));
  const auto set_function = [&](const char* name, napi_callback call) {
    napi_value function = nullptr;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call, nullptr, &function) == napi_ok)
      set(name, function);
  };
  set_function("newPool", CallFunction<NativePool::New>);
  set_function("newMaps", CallFunction<NativeMaps::New>);
  set_function("processStats", CallFunction<ProcessStats>);
  set_function("detach", CallFunction<Detach>);
  set_function("setPoison", CallFunction<SetPoison>);
  set_function("forbidExternalBuffers", CallFunction<ForbidExternalBuffers>);
  set_function("externalMemory", CallFunction<ExternalMemory>);
  set_function("failAllocations", CallFunction<FailAllocations>);
  return exports;
}

}  // namespace

NODE_API_MODULE(celeborn_native, Init)
