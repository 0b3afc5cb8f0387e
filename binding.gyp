{
  'variables': {
    # 1: build under AddressSanitizer and UBSan. `node scripts/install.mjs --asan` does that, into another folder.
    'celeborn_asan%': 0,
  },
  'targets': [
    {
      'target_name': 'celeborn_native',
      'sources': [
        'native/addon/addon.cc',
        'native/core/file_map.cc',
        'native/core/frame_heap.cc',
        'native/core/page_memory.cc',
        'native/core/poison.cc',
        'native/core/size_class.cc',
        'native/core/slot_table.cc',
      ],
      'include_dirs': [
        'native/core',
        "<!(node -p \"require('node-addon-api').include_dir\")",
      ],
      'defines': [
        'NAPI_VERSION=8',
        # JavaScript exceptions are no C++ exceptions here: each status is looked at where it comes.
        'NODE_ADDON_API_DISABLE_CPP_EXCEPTIONS',
        # A worker that is terminated while the addon loads must not end the process.
        'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
        'NODE_ADDON_API_DISABLE_DEPRECATED',
      ],
      'cflags': ['-Wall', '-Wextra', '-fvisibility=hidden'],
      'cflags_cc': ['-std=c++17', '-fvisibility-inlines-hidden'],
      'cflags_cc!': ['-std=gnu++17', '-std=gnu++20'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'CLANG_CXX_LIBRARY': 'libc++',
        'MACOSX_DEPLOYMENT_TARGET': '11.0',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
        'GCC_INLINES_ARE_PRIVATE_EXTERN': 'YES',
        'WARNING_CFLAGS': ['-Wall', '-Wextra'],
      },
      'conditions': [
        ['OS=="linux"', {
          'libraries': ['-ldl'],
        }],
        ['celeborn_asan==1', {
          'cflags': ['-fsanitize=address,undefined', '-fno-omit-frame-pointer', '-g', '-O1'],
          'ldflags': ['-fsanitize=address,undefined'],
          'xcode_settings': {
            'OTHER_CFLAGS': ['-fsanitize=address,undefined', '-fno-omit-frame-pointer'],
            'OTHER_LDFLAGS': ['-fsanitize=address,undefined'],
          },
        }],
      ],
    },
  ],
}
