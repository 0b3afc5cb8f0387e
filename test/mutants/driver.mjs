const END_OF_LIFE = 'test/lifecycle/end-of-life.test.ts'

/** Planted in the LifecycleManager. */
export default [
  {
    name: 'destroy-under-a-commit',
    breaks:
      'an unregistered shuffle is destroyed on workers that are committing it, which fails their commits',
    edits: [
      {
        file: 'src/lifecycle/unregistrar.ts',
        find: 'await Promise.allSettled(shuffle.commitsInFlight)',
        replace: '',
      },
    ],
    proof: { file: END_OF_LIFE, test: 'destroys nothing under the worker' },
  },
  {
    name: 'stage-end-commits-forgotten',
    breaks: "the commits of a stage's end do not count as under way",
    edits: [
      {
        file: 'src/lifecycle/committer.ts',
        find: 'shuffle.commitsInFlight.add(commits)',
        replace: 'if (shuffle.phase === "registered") shuffle.commitsInFlight.add(commits)',
      },
    ],
    proof: { file: END_OF_LIFE, test: 'early: false' },
  },
  {
    name: 'blamed-for-what-was-given-up',
    breaks: 'a worker is excluded because it no longer has what was unregistered',
    edits: [
      {
        file: 'src/lifecycle/committer.ts',
        find: "if (failed && shuffle.phase !== 'aborted') {",
        replace: 'if (failed) {',
      },
    ],
    proof: { file: END_OF_LIFE, test: 'does not blame it' },
  },
]
