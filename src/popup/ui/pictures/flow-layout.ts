import { countWords } from '../../platform/words.ts'

/** One end of a strand: where value comes from or goes to. */
export type FlowEnd = {
  label: string
  /** Null when the amount is not known. */
  sats: bigint | null
  own: boolean
  /** Others can change it after it is signed. */
  open?: boolean
  /** The label in a sentence, where it has room for more words. */
  spoken?: string
  /** Whose it is, where the label does not tell all: short addresses of two can look alike. */
  who?: string
  /** What sits on it: places in the flow's `assets`. */
  carries?: readonly number[]
}

/** An asset that sits on a sat and moves with it. */
export type FlowAsset = {
  /** Where it goes, as a sentence. */
  told: string
  /** Nobody will ever have it again. */
  lost: boolean
  /** Where in its output it lands, from 0 to 1; null while that is not known. */
  share: number | null
}

export type Flow = {
  inputs: FlowEnd[]
  outputs: FlowEnd[]
  fee: bigint | null
  /** Others can change the fee after it is signed. */
  feeOpen?: boolean
  assets?: readonly FlowAsset[]
  /** Those that end in the fee. */
  feeCarries?: readonly number[]
}

/** A strand's place on the trunk (`inner`) and at the edge of the picture (`outer`), in pixels. */
export type Strand = {
  end: FlowEnd
  thickness: number
  inner: number
  outer: number
  /** SVG path of the ribbon. */
  path: string
  /** Middle of the room for its label. */
  labelY: number
}

/** Assets that go the same way: a bead where they come from, one where they land, and the path between. */
export type AssetPath = {
  count: number
  lost: boolean
  from: Point
  /** Null where they land in nothing that is drawn. */
  to: Point | null
  path: string | null
}

type Point = { x: number; y: number }

export type FlowPicture = {
  width: number
  height: number
  /** The transaction itself, where inputs end and outputs begin. */
  trunk: { x: number; top: number; bottom: number }
  inputs: Strand[]
  outputs: Strand[]
  /** The fee turns downwards at the end of the trunk; null while it is unknown. */
  fee: { thickness: number; path: string; x: number; bottom: number } | null
  assetPaths: AssetPath[]
}

export const FLOW = { width: 344, trunk: 52, floor: 3, gap: 8, label: 32, inputs: 12, outputs: 11 }

const MIDDLE = FLOW.width / 2
const LEFT = 104
const RIGHT = FLOW.width - LEFT
const FLAT = 10
const FEE_DROP = 16

/**
 * Places the strands of a transaction: inputs meet in a trunk, outputs leave it, the fee leaves downwards.
 * Both sides of the trunk add up to the same thickness, and no strand is thinner than the floor.
 */
export function layoutFlow(flow: Flow): FlowPicture {
  const picture = placeStrands(flow)
  return { ...picture, assetPaths: placeAssetPaths(flow, picture) }
}

function placeStrands(flow: Flow): Omit<FlowPicture, 'assetPaths'> {
  const inputs = groupEnds(flow.inputs, FLOW.inputs)
  const outputs = groupEnds(flow.outputs, FLOW.outputs)
  const unseen = shareOfUnknown(flow)
  const left = shareOut(inputs.map(end => end.sats ?? unseen))
  const right = shareOut([
    ...outputs.map(end => end.sats ?? 0n),
    ...(flow.fee === null ? [] : [flow.fee]),
  ])
  const fee = flow.fee === null ? 0 : (right.pop() ?? 0)
  const body = Math.max(FLOW.trunk, stackHeight(left), stackHeight(right))
  const top = (body - FLOW.trunk) / 2
  const bottom = top + FLOW.trunk
  const height = flow.fee === null ? body : Math.max(body, bottom + FEE_DROP)
  return {
    width: FLOW.width,
    height,
    trunk: { x: MIDDLE, top, bottom },
    inputs: stack(inputs, left, top, body, LEFT, MIDDLE - FLAT),
    outputs: stack(outputs, right, top, body, RIGHT, MIDDLE + Math.max(FLAT, fee)),
    fee:
      flow.fee === null
        ? null
        : {
            thickness: fee,
            x: MIDDLE + fee / 2,
            bottom: height,
            path:
              `M${MIDDLE} ${round(bottom - fee)}` +
              `A${round(fee)} ${round(fee)} 0 0 1 ${round(MIDDLE + fee)} ${round(bottom)}` +
              `V${round(height)}H${MIDDLE}Z`,
          },
  }
}

/** The sats that unknown inputs must hold to pay the outputs, shared equally among them: else a coin of 546 sats would seem to pay everything. */
function shareOfUnknown({ inputs, outputs, fee }: Flow): bigint {
  const sum = (ends: readonly FlowEnd[]) =>
    ends.reduce((total, { sats }) => total + (sats ?? 0n), 0n)
  const missing = sum(outputs) + (fee ?? 0n) - sum(inputs)
  const count = inputs.filter(({ sats }) => sats === null).length
  return missing > 0n && count > 0 ? missing / BigInt(count) : 0n
}

/**
 * At most `limit` ends: the largest stay, in their order, and before them the few that carry something; the rest become
 * one group of ours and one of others'.
 */
export function groupEnds(ends: readonly FlowEnd[], limit: number): FlowEnd[] {
  if (ends.length <= limit) return [...ends]
  const laden = ends.filter(({ carries = [] }) => carries.length > 0).length
  const isFirst = ({ carries = [] }: FlowEnd) => carries.length > 0 && laden <= limit / 2
  const sizeOf = (end: FlowEnd | undefined) => end?.sats ?? 0n
  const bySize = ends.map((_, index) => index)
  bySize.sort((a, b) => Number(sizeOf(ends[b]) - sizeOf(ends[a])))
  bySize.sort((a, b) => {
    const [one, other] = [ends[a], ends[b]]
    return one && other ? Number(isFirst(other)) - Number(isFirst(one)) : 0
  })
  const kept = new Set(bySize.slice(0, limit - 2))
  const rest = ends.filter((_, index) => !kept.has(index))
  const groups = [true, false].flatMap(own => {
    const members = rest.filter(end => end.own === own)
    if (members.length === 0) return []
    const known = members.flatMap(end => (end.sats === null ? [] : [end.sats]))
    const sats = known.length < members.length ? null : known.reduce((sum, part) => sum + part, 0n)
    const label = countWords(own ? 'flowMoreOwn' : 'flowMore', members.length)
    const carries = members.flatMap(({ carries = [] }) => carries)
    return [{ label, sats, own, open: members.some(({ open = false }) => open), carries }]
  })
  return [...ends.filter((_, index) => kept.has(index)), ...groups]
}

/** Thickness by share of value; strands below the floor get it, the others give way in proportion. */
export function shareOut(
  values: readonly bigint[],
  total = FLOW.trunk,
  floor = FLOW.floor,
): number[] {
  const least = Math.min(floor, total / Math.max(values.length, 1))
  const floored = new Set<number>()
  for (;;) {
    const room = total - floored.size * least
    const sum = values.reduce((s, value, index) => (floored.has(index) ? s : s + value), 0n)
    const open = values.length - floored.size
    const thickness = (value: bigint) =>
      sum === 0n ? room / Math.max(open, 1) : (Number(value) / Number(sum)) * room
    const thin = values.flatMap((value, index) =>
      !floored.has(index) && thickness(value) < least ? [index] : [],
    )
    if (thin.length === 0 || thin.length === open) {
      return values.map((value, index) => (floored.has(index) ? least : thickness(value)))
    }
    for (const index of thin) floored.add(index)
  }
}

function stackHeight(thicknesses: readonly number[]): number {
  const rooms = thicknesses.map(roomOf)
  return rooms.reduce((sum, room) => sum + room, 0) + FLOW.gap * Math.max(rooms.length - 1, 0)
}

/** A strand takes at least the room of its label. */
function roomOf(thickness: number): number {
  return Math.max(thickness, FLOW.label)
}

function stack(
  ends: readonly FlowEnd[],
  thicknesses: readonly number[],
  trunkTop: number,
  body: number,
  edge: number,
  turn: number,
): Strand[] {
  let inner = trunkTop
  let slot = (body - stackHeight(thicknesses)) / 2
  return ends.map((end, index) => {
    const thickness = thicknesses[index] ?? 0
    const room = roomOf(thickness)
    const outer = slot + (room - thickness) / 2
    const strand: Strand = {
      end,
      thickness,
      inner,
      outer,
      labelY: slot + room / 2,
      path: ribbon(edge, turn, outer, inner, thickness),
    }
    inner += thickness
    slot += room + FLOW.gap
    return strand
  })
}

/** A band of constant height from the edge of the picture to the turn, then flat to the middle. */
function ribbon(edge: number, turn: number, outer: number, inner: number, thickness: number) {
  const bend = (edge + turn) / 2
  const [a, b] = [round(outer), round(inner)]
  const [c, d] = [round(outer + thickness), round(inner + thickness)]
  return (
    `M${edge} ${a}C${round(bend)} ${a} ${round(bend)} ${b} ${round(turn)} ${b}H${MIDDLE}` +
    `V${d}H${round(turn)}C${round(bend)} ${d} ${round(bend)} ${c} ${edge} ${c}Z`
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** How far from the edge of the picture a bead hangs on its strand. */
const BEAD = 8

/** The paths of everything that the flow carries; what goes between the same two strands shares one. */
function placeAssetPaths(flow: Flow, picture: Omit<FlowPicture, 'assetPaths'>): AssetPath[] {
  const { assets = [], feeCarries = [] } = flow
  const ways = new Map<string, number[]>()
  for (const index of assets.keys()) {
    const from = picture.inputs.findIndex(({ end }) => end.carries?.includes(index))
    const to = picture.outputs.findIndex(({ end }) => end.carries?.includes(index))
    if (from < 0) continue
    const key = `${from} ${to < 0 && feeCarries.includes(index) ? 'fee' : to}`
    ways.set(key, [...(ways.get(key) ?? []), index])
  }
  return [...ways].flatMap(([key, members]): AssetPath[] => {
    const [from, to] = key.split(' ')
    const start = picture.inputs[Number(from)]
    if (start === undefined) return []
    const assetPath = {
      count: members.length,
      lost: members.some(index => assets[index]?.lost),
      from: { x: LEFT + BEAD, y: round(start.outer + start.thickness / 2) },
    }
    const { fee } = picture
    const path = pathToTrunk(start)
    if (to === 'fee' && fee) {
      return [
        {
          ...assetPath,
          to: { x: fee.x, y: fee.bottom - 4 },
          path: `${path}H${fee.x}V${fee.bottom}`,
        },
      ]
    }
    const end = picture.outputs[Number(to)]
    if (end === undefined) return [{ ...assetPath, to: null, path: null }]
    const [only] = members
    const share = members.length === 1 && only !== undefined ? assets[only]?.share : null
    const depth =
      end.thickness * (end.end.carries?.length === members.length ? (share ?? 0.5) : 0.5)
    return [
      {
        ...assetPath,
        to: { x: RIGHT - BEAD, y: round(end.outer + depth) },
        path: path + pathFromTrunk(end, depth, MIDDLE + Math.max(FLAT, fee?.thickness ?? 0)),
      },
    ]
  })
}

/** Along the middle of a strand from the edge to the trunk. */
function pathToTrunk({ outer, inner, thickness }: Strand): string {
  const turn = MIDDLE - FLAT
  const bend = round((LEFT + turn) / 2)
  const [a, b] = [round(outer + thickness / 2), round(inner + thickness / 2)]
  return `M${LEFT + BEAD} ${a}C${bend} ${a} ${bend} ${b} ${turn} ${b}H${MIDDLE}`
}

/** From the trunk along a strand, `depth` pixels below its upper edge, to the edge. */
function pathFromTrunk({ outer, inner }: Strand, depth: number, turn: number): string {
  const bend = round((RIGHT + turn) / 2)
  const [a, b] = [round(outer + depth), round(inner + depth)]
  return `V${b}H${round(turn)}C${bend} ${b} ${bend} ${a} ${RIGHT - BEAD} ${a}`
}
