/**
 * Pictures: of inscriptions and other content, of the flow of a transaction, QR codes, identicons, the mark. Content comes
 * from the background, is drawn only as pixels or as text, and never runs code, makes a sound or loads anything. No picture
 * of a stranger is decoded in this page: `src/decoder` does it elsewhere.
 */

import { Box, CodeXml, EyeOff, File, FileAudio, FileVideo, Image, Shapes, Type } from 'lucide-react'
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import type { ContentKind, ContentView } from '../../../background/views/asset-views.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import skeletonStyles from '../skeleton.module.css'
import { useAmounts } from '../text/hidden-amounts.tsx'
import { VisibleText, VisibleWord } from '../text/visible-text.tsx'
import { createContentShelf } from './content-shelf.ts'
import { type DrawnContent, discardContent, drawContent, useDrawnContent } from './drawn-content.ts'
import styles from './inscription-picture.module.css'
import { PixelCanvas } from './pixel-canvas.tsx'

/** A large picture is at most this wide and high, at the density of good displays. */
const LARGE = { side: 1600, moving: true }
/** A list in which everything moves is nothing to look at. */
const TILE = { side: 400, moving: false }

const previews = createContentShelf({
  ask: async id => drawContent(await call('getInscriptionContent', { id, preview: true }), TILE),
  discard: discardContent,
  atOnce: 4,
  most: 16_000_000,
})
const wholes = createContentShelf({
  ask: async id => drawContent(await call('getInscriptionContent', { id, preview: false }), LARGE),
  discard: discardContent,
  atOnce: 1,
  most: 0,
})

type InscriptionPictureProps = {
  id: string
  /** `small` is a square of 40 px, `tile` and `large` are as wide as there is room. */
  size: 'small' | 'tile' | 'large'
  /** Where it is known: what is never drawn is not asked for. */
  kind?: ContentKind
  /** Its name, for the large one; the others stand beside words that name them and are not read out. */
  label?: string
  /** What stands for it where it has no content: some are nothing but a name. */
  name?: string | null
  /** Whether a token's amount on it goes with the other amounts of the account; not where it is about to be made or sent. */
  isHeld?: boolean
}

/** What an inscription looks like, in a box that has its size before anything is known; loaded when it is about to be seen. */
export function InscriptionPicture(props: InscriptionPictureProps) {
  const { id, size, kind, label = '', name = null, isHeld = false } = props
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  const large = size === 'large'
  const isSupported = kind === undefined || isDrawn(kind)
  const { content, failed, retry } = useContent(id, large, near && isSupported)
  return (
    <div
      ref={box}
      className={classNames(styles.picture, styles[size])}
      aria-hidden={large ? undefined : true}
      aria-busy={large && isSupported && content === null && !failed ? true : undefined}
    >
      {!isSupported ? (
        <Placeholder kind={kind} why="unsupported" size={size} />
      ) : content === null ? (
        failed ? (
          <Placeholder kind={kind} why="unanswered" size={size} />
        ) : (
          <span className={classNames(skeletonStyles.skeleton, styles.skeleton)} />
        )
      ) : name !== null && isEmpty(content) ? (
        <span className={styles.nameCard}>
          {size === 'small' ? name.charAt(0).toUpperCase() : name}
        </span>
      ) : (
        <Content content={content} kind={kind} size={size} label={label} isHeld={isHeld} />
      )}
      {large && (failed || isUnanswered(content)) ? (
        <Button variant="quiet" onClick={retry}>
          {words('commonTryAgain')}
        </Button>
      ) : null}
    </div>
  )
}

/** A picture that is on its way, in the box that it will have. */
export function PictureSkeleton({ size }: { size: 'tile' | 'large' }) {
  return (
    <span className={classNames(styles.picture, styles[size])}>
      <span className={classNames(skeletonStyles.skeleton, styles.skeleton)} />
    </span>
  )
}

/** In the place of a picture that the person has not asked to see. */
export function VeiledPicture() {
  return (
    <span className={styles.picture} aria-hidden>
      <span className={styles.placeholder}>
        <EyeOff size={24} strokeWidth={1.5} aria-hidden />
      </span>
    </span>
  )
}

type ContentPictureProps = Omit<InscriptionPictureProps, 'id' | 'name' | 'isHeld'> & {
  /** Null while it is on its way. */
  content: ContentView | null
}

/** Content that is at hand, such as what is about to be inscribed, in the box that an inscription of it has. */
export function ContentPicture({ content, ...props }: ContentPictureProps) {
  const drawn = useDrawnContent(content, props.size === 'large' ? LARGE : TILE)
  return <DrawnPicture content={drawn} {...props} />
}

type DrawnPictureProps = Omit<ContentPictureProps, 'content'> & {
  /** Null while it is on its way. */
  content: DrawnContent | null
}

/** The same of content that was made ready to be drawn. */
export function DrawnPicture({ content, kind, size, label = '' }: DrawnPictureProps) {
  const large = size === 'large'
  return (
    <div
      className={classNames(styles.picture, styles[size])}
      aria-hidden={large ? undefined : true}
    >
      {content === null ? (
        <span className={classNames(skeletonStyles.skeleton, styles.skeleton)} />
      ) : (
        <Content content={content} kind={kind} size={size} label={label} />
      )}
    </div>
  )
}

type ContentProps = {
  content: DrawnContent
  kind: ContentKind | undefined
  size: InscriptionPictureProps['size']
  label: string
  isHeld?: boolean
}

function Content({ content, kind, size, label, isHeld = false }: ContentProps) {
  const amounts = useAmounts()
  const small = size === 'small'
  switch (content.kind) {
    case 'pixels':
      return (
        <PixelCanvas
          picture={content}
          label={label}
          className={content.pixelArt ? styles.pixels : undefined}
        />
      )
    case 'text':
      if (small) return <Type size={18} aria-hidden />
      return (
        <div
          className={styles.inscribedText}
          // What scrolls has to be reached by keyboard.
          {...(size === 'large' ? { tabIndex: 0, role: 'region', 'aria-label': label } : {})}
        >
          <InscribedText
            text={size === 'large' ? content.text : content.text.slice(0, TILE_TEXT)}
          />
          {content.cut ? '…' : ''}
        </div>
      )
    case 'brc-20':
      return (
        <div className={styles.tokenCard}>
          {small ? null : <span className={styles.op}>{words(TOKEN_WORDS[content.op])}</span>}
          <span className={styles.tick}>
            <VisibleWord text={content.tick} />
          </span>
          {small || content.amount === null ? null : (
            <span className={styles.sum}>
              {isHeld ? amounts.digits(content.amount) : content.amount}
            </span>
          )}
        </div>
      )
    case 'placeholder':
      return <Placeholder kind={kind} why={content.why} size={size} />
  }
}

/** More than a tile has room for; each character of a hostile text may be an element. */
const TILE_TEXT = 600

/** What acts or turns the order around; joiners and spaces are part of emoji and of drawings in letters. */
const ACTING = /([^\P{Cc}\t\n]+|[\u202a-\u202e\u2066-\u2069]+)/u

/** Somebody's text as it is, but for characters that would make it read as what it is not. */
function InscribedText({ text }: { text: string }) {
  return text
    .replace(/\r\n?/g, '\n')
    .split(ACTING)
    .map((part, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
      index % 2 === 1 ? <VisibleText key={index} text={part} /> : part,
    )
}

const TOKEN_WORDS: { [op in (ContentView & { kind: 'brc-20' })['op']]: WordKey } = {
  deploy: 'pictureDeploy',
  mint: 'pictureMint',
  transfer: 'pictureTransfer',
}

/** Kinds that no screen of ours draws: they could run code, make a noise or call home. */
const UNSUPPORTED = {
  svg: { Icon: Shapes, name: 'kindSvg' },
  html: { Icon: CodeXml, name: 'kindHtml' },
  audio: { Icon: FileAudio, name: 'kindAudio' },
  video: { Icon: FileVideo, name: 'kindVideo' },
  model: { Icon: Box, name: 'kindModel' },
  other: { Icon: File, name: 'kindOther' },
  none: { Icon: File, name: 'kindNone' },
} as const

/** Whether content of this kind is asked for and drawn, where it can be. */
export function isDrawn(kind: ContentKind): boolean {
  return !(kind in UNSUPPORTED)
}

const SUPPORTED = {
  image: { Icon: Image, name: 'kindImage' },
  text: { Icon: Type, name: 'kindText' },
  'brc-20': { Icon: Type, name: 'kindBrc20' },
} as const

/** The name of a kind in words: "Image", "3D model". */
export function nameContentKind(kind: ContentKind): string {
  return words(PLACES[kind].name)
}

const PLACES: {
  [kind in ContentKind]: { Icon: typeof File; name: WordKey }
} = { ...UNSUPPORTED, ...SUPPORTED }

type PlaceholderProps = {
  kind: ContentKind | undefined
  why: (ContentView & { kind: 'placeholder' })['why']
  size: InscriptionPictureProps['size']
}

const WHY_WORDS: { [why in PlaceholderProps['why']]: WordKey } = {
  unsupported: 'kindOther',
  'too-large': 'pictureTooLarge',
  'too-many-pixels': 'pictureTooManyPixels',
  damaged: 'pictureDamaged',
  unanswered: 'pictureUnanswered',
  empty: 'kindNone',
}

/** In place of what cannot be drawn: what it is, or why not. */
function Placeholder({ kind, why, size }: PlaceholderProps) {
  const { Icon, name } = PLACES[kind ?? 'other']
  // Who knows the kind of a tile names it below.
  const isNamed = size === 'tile' && why === 'unsupported' && kind !== undefined
  return (
    <span className={styles.placeholder}>
      <Icon size={size === 'small' ? 18 : 24} strokeWidth={1.5} aria-hidden />
      {size === 'small' || isNamed ? null : words(why === 'unsupported' ? name : WHY_WORDS[why])}
    </span>
  )
}

function isEmpty(content: DrawnContent): boolean {
  return content.kind === 'placeholder' && content.why === 'empty'
}

function isUnanswered(content: DrawnContent | null): boolean {
  return content?.kind === 'placeholder' && content.why === 'unanswered'
}

/** The content while it is wanted; null until it is there. */
function useContent(id: string, whole: boolean, wanted: boolean) {
  const [answer, setAnswer] = useState<{ id: string; content: DrawnContent | null } | null>(null)
  const [turn, retry] = useReducer((turn: number) => turn + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again
  useEffect(() => {
    if (!wanted) return
    const release = (whole ? wholes : previews).want(id, content => setAnswer({ id, content }))
    return () => {
      release()
      // What is out of sight holds nothing.
      setAnswer(null)
    }
  }, [id, whole, wanted, turn])
  const known = answer?.id === id ? answer : null
  return {
    content: known?.content ?? null,
    failed: known !== null && known.content === null,
    retry,
  }
}

/** Whether the element is about to be seen. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      entries => setNear(entries.at(-1)?.isIntersecting ?? false),
      { root: element.current.closest('main, dialog'), rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return near
}
