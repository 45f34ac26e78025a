import type { Scene } from '../wallet-scene.ts'

/** One call of a site (`method` as the in-page script sends it) or of our own pages (`ui.` and the method). */
export type Operation = {
  name: string
  method: string
  /** Where there is no wallet yet. */
  isFirst?: true
  /** Of the site that asks; the connected one unless said. */
  origin?: string
  /** What the person did before; handed on to `params`. */
  prepare?: (scene: Scene) => Promise<unknown>
  /** Of a site: a list. Of our own pages: one value. */
  params: (scene: Scene, prepared: never) => unknown
  /** What may be done of it and what not when the browser ends in between: each step has the person's approval, or can be made again. */
  halves?: readonly string[]
  /** The wallet opens with this from then on, once it was changed. */
  nextPassword?: string
}

/** A call of our own pages; what follows a comma in its name tells it from others of the same method. */
export const ui = (
  name: string,
  params: (scene: Scene, prepared: never) => unknown = () => null,
  rest: Partial<Operation> = {},
): Operation => ({ name: `ui.${name}`, method: `ui.${name.split(',')[0]}`, params, ...rest })
