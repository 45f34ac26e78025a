import bbqr from '../../src/bitcoin/testing/vectors/bbqr.json' with { type: 'json' }
import type { Screen } from '../driver/screen.ts'
import { type Shot, stateWith, value } from './shot.ts'

function scan(name: string, act?: Shot['act'], surface: Shot['surface'] = 'tab'): Shot {
  return {
    name: `scan-${name}`,
    path: '/scan',
    surface,
    answers: { getState: value(stateWith()), touch: value(null) },
    ...(act ? { act } : {}),
  }
}

const paste = (text: string) => async (screen: Screen) => {
  await screen.fill('textbox', 'Paste*', text)
  await screen.click('button', 'Read this text')
}

const showCodes = async (screen: Screen) => {
  await paste(bbqr.psbts['1in2out'])(screen)
  await screen.click('button', 'Show as QR codes')
  await screen.click('button', 'Pause')
}

export const shots: Shot[] = [
  scan('popup', undefined, 'popup'),
  scan('start'),
  // The browser of the shots has no camera.
  scan('no-camera', async screen => {
    await screen.click('button', 'Use the camera')
    await screen.find('button', 'Try again')
  }),
  scan('parts', paste(bbqr.realScan[0] as string)),
  scan('damaged', paste('ur:crypto-psbt/1-2/aeaeaeae')),
  scan('read', paste(bbqr.psbts['1in2out'])),
  scan('codes', showCodes),
  scan('codes-popup', showCodes, 'popup'),
  scan('codes-bbqr', async screen => {
    await showCodes(screen)
    await screen.click('radio', 'BBQr')
    await screen.click('radio', 'Small')
    await screen.click('button', 'Pause')
  }),
]
