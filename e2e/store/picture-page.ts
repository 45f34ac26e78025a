import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const FONTS = 'node_modules/@fontsource-variable/figtree/files'

/** The sizes of both stores’ pictures and of Chrome’s tiles, in pixels. */
export const SIZES = {
  picture: { width: 1280, height: 800 },
  tile: { width: 440, height: 280 },
  marquee: { width: 1400, height: 560 },
} as const

export type PictureParts = {
  kind: 'popup' | 'wide' | 'tile' | 'marquee'
  language: string
  theme: 'light' | 'dark'
  title: string
  text: string
  /** A PNG of it; none on a tile. */
  screen: Uint8Array | null
}

/** A page of the size of the picture: words beside or above a screen, in the colours and the type of the wallet. */
export function makePicturePage(parts: PictureParts): string {
  const { kind, language, theme, title, text, screen } = parts
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const words = `<div class="words"><p class="name">${logo()}<span>Satchel</span></p><h1>${escapeText(title)}</h1>${
    text === '' ? '' : `<p class="text">${escapeText(text)}</p>`
  }</div>`
  const shown = screen === null ? '' : `<img class="screen" alt="" src="${dataUrl(screen)}">`
  return `<!doctype html><html lang="${language}" dir="${direction}" data-theme="${theme}"><meta charset="utf-8"><style>${styles()}</style><body class="${kind}">${words}${shown}</body></html>`
}

function styles(): string {
  return `${fontFaces()}${readTokens()}${LAYOUT}`
}

/** The colours of the wallet, without its fonts, whose addresses the bundler knows alone. */
function readTokens(): string {
  return read('src/popup/ui/styles/tokens.css').replace(/@font-face \{[^}]*\}/g, '')
}

function fontFaces(): string {
  const sign = readFileSync(join(ROOT, 'src/popup/ui/styles/bitcoin-sign.woff2'))
  const faces = ['latin', 'latin-ext']
    .map(part => {
      const font = readFileSync(join(ROOT, FONTS, `figtree-${part}-wght-normal.woff2`))
      const range =
        part === 'latin' ? '' : 'unicode-range: U+0100-02BA, U+1E00-1E9F, U+20A0-20AB, U+20AD-20BE;'
      return `@font-face { font-family: "Figtree Variable"; font-weight: 300 900; ${range} src: url("data:font/woff2;base64,${font.toString('base64')}") format("woff2"); }`
    })
    .join('')
  return `${faces}@font-face { font-family: "Bitcoin Sign"; unicode-range: U+20BF; src: url("data:font/woff2;base64,${sign.toString('base64')}") format("woff2"); }`
}

function logo(): string {
  return read('release/store/satchel.svg').replace('<svg ', '<svg class="logo" aria-hidden="true" ')
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function dataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

const LAYOUT = `
* { box-sizing: border-box; margin: 0; padding: 0; }
html, body { width: 100vw; height: 100vh; overflow: hidden; }
body { position: relative; display: flex; color: var(--ink); background: var(--backdrop); font: 400 20px/30px var(--sans); text-wrap: pretty; }
.words { display: flex; flex-direction: column; }
.name { display: flex; align-items: center; gap: 14px; font-size: 24px; line-height: 32px; font-weight: 650; }
.logo { width: 48px; height: 48px; flex: none; }
:lang(ja) body { line-break: strict; word-break: auto-phrase; overflow-wrap: anywhere; }
:lang(ko) body { word-break: keep-all; }
:lang(zh) h1 { word-break: keep-all; overflow-wrap: anywhere; }
h1 { font-weight: 680; letter-spacing: -0.02em; text-wrap: balance; }
.text { color: var(--muted); }
.screen { display: block; flex: none; border-radius: 20px; box-shadow: 0 0 0 1px var(--line), 0 24px 64px rgb(35 28 20 / 22%); }
.popup { align-items: center; justify-content: space-between; padding: 48px 96px; }
.popup .words { width: 540px; gap: 28px; }
.popup h1 { font-size: 60px; line-height: 66px; }
.popup .text { font-size: 23px; line-height: 34px; }
.popup .screen { height: 704px; }
.wide { flex-direction: column; align-items: center; padding: 44px 80px 0; gap: 36px; }
.wide .words { width: 100%; display: grid; grid-template-columns: auto 1fr; column-gap: 64px; align-items: center; }
.wide .name { grid-column: 1 / -1; margin-bottom: 16px; }
.wide h1 { font-size: 44px; line-height: 52px; max-width: 480px; }
.wide .text { max-width: 560px; justify-self: end; }
.wide .screen { width: 1120px; border-radius: 20px 20px 0 0; }
.tile { flex-direction: column; justify-content: center; padding: 0 40px; background: var(--paper); }
.tile .words { gap: 18px; }
.tile .name { font-size: 50px; line-height: 56px; gap: 20px; }
.tile .logo { width: 92px; height: 92px; }
.tile h1 { font-size: 28px; line-height: 34px; font-weight: 560; letter-spacing: -0.01em; color: var(--muted); }
.marquee { align-items: flex-start; justify-content: space-between; padding: 0 120px; }
.marquee .words { width: 640px; gap: 24px; align-self: center; }
.marquee .name { font-size: 32px; line-height: 40px; }
.marquee .logo { width: 64px; height: 64px; }
.marquee h1 { font-size: 64px; line-height: 70px; }
.marquee .text { font-size: 24px; line-height: 34px; }
.marquee .screen { width: 380px; margin-top: 56px; }
`
