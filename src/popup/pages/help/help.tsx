/**
 * The words that a person may not know, as a list and a page for each. It only shows: what is said of a word is in `popup/help`,
 * which also explains it in a dialog where it stands.
 */

import { Explanation } from '../../help/explanation.tsx'
import { EXPLANATIONS } from '../../help/explanations.ts'
import { useHelpWords } from '../../help/help-words.ts'
import { ALL_TERMS, TERMS, type Term } from '../../help/terms.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { Link, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** The word of the path, or all of them where it names none. */
export function Help() {
  const [, path] = useRoute()
  const term = ALL_TERMS.find(one => one === path)
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words(term ? TERMS[term] : 'termsTitle')}</Title>
      {term ? <Explanation term={term} related={linkTo} /> : <Terms />}
    </Screen>
  )
}

function linkTo(term: Term) {
  return <Link to={`/help/${term}`}>{words(TERMS[term])}</Link>
}

function Terms() {
  const help = useHelpWords()
  if (help === null) return <SkeletonRows count={6} />
  return (
    <Rows label={words('termsTitle')}>
      {ALL_TERMS.map(term => (
        <LinkRow
          key={term}
          to={`/help/${term}`}
          title={words(TERMS[term])}
          note={help(EXPLANATIONS[term].is)}
        />
      ))}
    </Rows>
  )
}
