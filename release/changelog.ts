/**
 * The text of a version's section in a changelog of the form of https://keepachangelog.com/en/1.1.0/, without its heading. Throws
 * where the version is not there with a day, is empty, or is not the newest.
 */
export function readSection(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const [newest] = sections.filter(section => !section.startsWith('[Unreleased]'))
  const heading = newest?.split('\n', 1)[0] ?? ''
  const match = /^\[(\S+)\] - \d{4}-\d{2}-\d{2}$/.exec(heading)
  if (match?.[1] !== version) {
    throw new Error(
      `The newest version in CHANGELOG.md is ${heading || 'none'}, expected [${version}] - and its day`,
    )
  }
  const unreleased = sections.find(section => section.startsWith('[Unreleased]'))
  if (unreleased !== undefined && unreleased.replace('[Unreleased]', '').trim() !== '') {
    throw new Error(`CHANGELOG.md has changes under Unreleased, expected them under ${version}`)
  }
  const text = newest?.slice(heading.length).trim() ?? ''
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}`)
  return text
}
