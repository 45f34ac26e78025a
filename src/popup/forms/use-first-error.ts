import { type RefObject, useEffect, useRef, useState } from 'react'

/** After a try that failed, errors are shown everywhere and the first one has the focus. */
export function useFirstError(): {
  content: RefObject<HTMLDivElement | null>
  attempt: () => void
  isTried: boolean
} {
  const content = useRef<HTMLDivElement>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries === 0) return
    const field = content.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [tries])
  return { content, attempt: () => setTries(before => before + 1), isTried: tries > 0 }
}
