/** As ord names them (https://docs.ordinals.com/overview.html): the first sat of a block, of a difficulty period, after a halving, of a cycle of six halvings, and of all. */
export const RARITIES = ['uncommon', 'rare', 'epic', 'legendary', 'mythic'] as const
export type Rarity = (typeof RARITIES)[number]
