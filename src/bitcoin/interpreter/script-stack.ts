import { assertScript, type ScriptErrorCode } from './script-error.ts'

/** A stack of byte strings, the top at the end. Every operation throws INVALID_STACK_OPERATION, or what it is given, where too few are there. */
export class ScriptStack {
  readonly items: Uint8Array[]
  readonly #tooFew: ScriptErrorCode

  constructor(items: readonly Uint8Array[], tooFew: ScriptErrorCode = 'INVALID_STACK_OPERATION') {
    this.items = [...items]
    this.#tooFew = tooFew
  }

  get size(): number {
    return this.items.length
  }

  push(...items: readonly Uint8Array[]): void {
    this.items.push(...items)
  }

  pop(): Uint8Array {
    const item = this.items.pop()
    assertScript(item !== undefined, this.#tooFew)
    return item
  }

  /** The item so many below the top, 0 for the top. */
  peek(depth = 0): Uint8Array {
    const item = this.items.at(-1 - depth)
    assertScript(item !== undefined, this.#tooFew)
    return item
  }

  assertHas(count: number): void {
    assertScript(this.items.length >= count, this.#tooFew)
  }

  /** Takes the item so many below the top out. */
  remove(depth: number): Uint8Array {
    this.assertHas(depth + 1)
    const [item] = this.items.splice(this.items.length - 1 - depth, 1)
    assertScript(item !== undefined, this.#tooFew)
    return item
  }

  /** Takes so many items from the top, the lowest first. */
  take(count: number): Uint8Array[] {
    this.assertHas(count)
    return this.items.splice(this.items.length - count, count)
  }
}
