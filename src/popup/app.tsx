import { lazy, Suspense, useState } from 'react'
import type { WalletState } from '../background/ui-methods/ui-methods.ts'
import { Home } from './pages/home.tsx'
import { Unlock } from './pages/unlock.tsx'
import { Welcome } from './pages/welcome.tsx'
import { openInTab } from './rpc.ts'
import type { Surface } from './surface.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/notice.tsx'
import { Screen, Title } from './ui/screen.tsx'
import { ScreenSkeleton } from './ui/skeleton.tsx'
import { useTouch } from './use-touch.ts'
import { useWalletState } from './use-wallet-state.ts'

const ApprovalQueue = lazy(async () => ({
  default: (await import('./approvals/approval-queue.tsx')).ApprovalQueue,
}))
const Create = lazy(async () => ({ default: (await import('./pages/create.tsx')).Create }))
const Import = lazy(async () => ({ default: (await import('./pages/import.tsx')).Import }))
const Receive = lazy(async () => ({ default: (await import('./pages/receive.tsx')).Receive }))

/** What the person chose to see; the wallet's state decides whether it can be shown. */
type Route = 'start' | 'create' | 'import' | 'home' | 'receive'

export function App({ surface }: { surface: Surface }) {
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      {surface.kind === 'approval' ? <ApprovalQueue /> : <Wallet surface={surface} />}
    </Suspense>
  )
}

function Wallet({ surface }: { surface: Surface & { kind: 'popup' | 'tab' } }) {
  const { state, problem, refresh } = useWalletState()
  const [route, setRoute] = useState<Route>(surface.start ?? 'start')
  useTouch(state?.vault === 'unlocked')
  if (problem !== null) return <Unreachable problem={problem} onRetry={refresh} />
  if (state === null) return <ScreenSkeleton />
  const begin = (chosen: 'create' | 'import') => {
    // The toolbar popup vanishes when it loses focus, and the words on it with it.
    if (surface.kind === 'popup') void openInTab(chosen)
    else setRoute(chosen)
  }
  switch (screenFor(state, route)) {
    case 'start':
      return <Welcome onBegin={begin} />
    case 'create':
      return <Create onBack={() => setRoute('start')} onDone={refresh} />
    case 'import':
      return <Import onBack={() => setRoute('start')} onDone={refresh} />
    case 'unlock':
      return <Unlock state={state} onUnlocked={refresh} />
    case 'receive':
      return <Receive state={state} onBack={() => setRoute('home')} />
    case 'home':
      return <Home state={state} onReceive={() => setRoute('receive')} onChanged={refresh} />
  }
}

function screenFor(state: WalletState, route: Route): Route | 'unlock' {
  if (state.vault === 'none') return route === 'create' || route === 'import' ? route : 'start'
  if (state.vault === 'locked') return 'unlock'
  return route === 'receive' ? 'receive' : 'home'
}

function Unreachable({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  return (
    <Screen
      foot={
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <Title>Satchel is not ready</Title>
      <Notice tone="caution">{problem}</Notice>
      <p className="muted">
        Nothing is lost: your wallet is stored on this computer, encrypted. If this stays, restart
        the browser.
      </p>
    </Screen>
  )
}
