import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { Screen, Title } from '../ui/screen.tsx'

export function Welcome({ onBegin }: { onBegin: (chosen: 'create' | 'import') => void }) {
  return (
    <Screen
      foot={
        <>
          <Button look="primary" onClick={() => onBegin('create')}>
            Create a wallet
          </Button>
          <Button look="secondary" onClick={() => onBegin('import')}>
            Import a wallet
          </Button>
        </>
      }
    >
      <div className="welcome">
        <Mark size={88} />
        <Title>Carry your own bitcoin</Title>
        <p className="muted">
          Your keys stay on this computer. Satchel signs only what it has shown you, and talks only
          to servers that you choose.
        </p>
      </div>
    </Screen>
  )
}
