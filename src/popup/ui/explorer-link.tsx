import { ExternalLink } from 'lucide-react'
import textStyles from './styles/text.module.css'

/** The way to a page about it that others keep, by their host. */
export function ExplorerLink({ url }: { url: string }) {
  return (
    <a className={textStyles.link} href={url} target="_blank" rel="noreferrer">
      {new URL(url).host} <ExternalLink size={14} aria-hidden />
    </a>
  )
}
