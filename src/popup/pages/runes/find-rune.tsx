import { Search } from 'lucide-react'
import { useState } from 'react'
import { parseRuneName } from '../../../ordinals/runes/rune-name.ts'
import formStyles from '../../forms/form.module.css'
import { navigate } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/field.tsx'

/** Any rune by its name, held or not: mints are mostly of those that one does not hold yet. */
export function FindRune() {
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const name = cleanName(typed)
  const isName = parseRuneName(name) !== null
  return (
    <form
      className={formStyles.operation}
      autoComplete="off"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (isName) navigate(`/runes/rune/${encodeURIComponent(name)}`)
        else setTried(true)
      }}
    >
      <TextField
        label={words('runeFind')}
        note={words('runeFindNote')}
        value={typed}
        maxLength={60}
        spellCheck={false}
        error={isTried && !isName ? words('runeFindWrong') : null}
        onChange={event => {
          setTried(false)
          setTyped(event.currentTarget.value)
        }}
      />
      <Button variant="secondary" type="submit">
        <Search size={18} aria-hidden />
        {words('runeFindDo')}
      </Button>
    </form>
  )
}

/** As it is asked for: in capitals, with `•` where a point or a blank was typed. */
function cleanName(typed: string): string {
  return typed
    .trim()
    .toUpperCase()
    .replace(/[\s.•]+/g, '•')
}
