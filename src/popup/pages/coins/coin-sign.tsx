import {
  Atom,
  CircleDashed,
  CircleHelp,
  CirclePause,
  Clock,
  Coins,
  Gem,
  Image,
  Images,
  Lock,
  LockOpen,
  type LucideIcon,
  Sparkles,
} from 'lucide-react'
import type { HeldReason } from '../../../background/views/asset-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { Sign, type Tone } from '../../ui/status-banner.tsx'

const REASON_ICONS: { [reason in HeldReason]: LucideIcon } = {
  reserved: CirclePause,
  unconfirmed: Clock,
  inscribed: Image,
  atomical: Atom,
  runic: Gem,
  ordinals: Images,
  rare: Sparkles,
  small: CircleDashed,
  dust: CircleDashed,
  unknown: CircleHelp,
  locked: Lock,
}

/** Reasons that pass by themselves, or are to be looked into. */
const OPEN: readonly (HeldReason | null)[] = ['reserved', 'unconfirmed', 'unknown', 'dust']

/** How a coin stands; the words beside it say the same. */
export function CoinSign({ coin }: { coin: Pick<CoinView, 'held' | 'choice'> }) {
  const { held, choice } = coin
  if (held === null)
    return choice === 'unlocked' ? (
      <Sign Icon={LockOpen} tone="danger" />
    ) : (
      <Sign Icon={Coins} tone="plain" />
    )
  const tone: Tone = OPEN.includes(held) ? 'open' : 'plain'
  return <Sign Icon={REASON_ICONS[held]} tone={tone} />
}
