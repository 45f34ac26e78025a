/** Most pages never look at the wallet: what they would find is made when they do. */
export function makeOnce<T extends object>(create: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= create()
    return made
  }
}
