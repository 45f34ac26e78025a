/** A word of a text that spaces divide, without its mark. */
export type Word<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? Word<First> | Word<Rest>
  : Text extends `${infer Name}*`
    ? Name
    : Text

/** A word of it that has the mark. */
export type MarkedWord<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? MarkedWord<First> | MarkedWord<Rest>
  : Text extends `${infer Name}*`
    ? Name
    : never
