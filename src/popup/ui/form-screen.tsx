import type { ReactNode } from 'react'
import { words } from '../platform/words.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { BackButton, Screen, Title } from './screen.tsx'
import textStyles from './styles/text.module.css'

type FormScreenProps = {
  title: string
  lead?: ReactNode
  /** What the button at the bottom does; "Continue" where nothing is said. */
  action?: string
  onBack: () => void
  onSubmit: () => void
  busy?: boolean
  disabled?: boolean
  /** Why the last submission was not done. */
  failure?: string | null
  /** The title takes no focus where a field does. */
  fieldFirst?: boolean
  /** What stands above the button, such as a box to tick. */
  above?: ReactNode
  children?: ReactNode
}

/** A screen that asks for something and has one way on: title, fields, button. */
export function FormScreen(props: FormScreenProps) {
  return (
    <Screen
      head={<BackButton onBack={props.onBack} />}
      onSubmit={props.onSubmit}
      foot={
        <>
          {props.above}
          <Button
            variant="primary"
            type="submit"
            busy={props.busy ?? false}
            disabled={props.disabled ?? false}
          >
            {props.action ?? words('commonContinue')}
          </Button>
        </>
      }
    >
      <Title focus={!props.fieldFirst}>{props.title}</Title>
      {props.lead ? <p className={textStyles.muted}>{props.lead}</p> : null}
      {props.children}
      {props.failure ? (
        <Notice tone="danger" live>
          {props.failure}
        </Notice>
      ) : null}
    </Screen>
  )
}
