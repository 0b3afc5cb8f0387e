/** What the program and the process that runs its embedded cluster say to each other. */
export type ToCluster =
  | {
      readonly kind: 'start'
      readonly workers: number
      readonly conf: Readonly<Record<string, string>>
    }
  | { readonly kind: 'stop' }

export type FromCluster =
  | { readonly kind: 'started'; readonly masterEndpoint: string }
  | { readonly kind: 'failed'; readonly message: string }
