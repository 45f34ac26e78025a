import { createPictureDecoder, type DecoderLink } from './picture-decoder.ts'

const PAGE = '/src/decoder/decoder.html'

/** The decoder of this page, which is started with the first picture that comes. */
export const pictureDecoder = createPictureDecoder({ open: openDecoder })

/** The page of the decoder in a hidden frame of an opaque origin; it hears this page by a port that nobody else has. */
function openDecoder(listen: (message: unknown) => void): DecoderLink {
  const { port1: own, port2: theirs } = new MessageChannel()
  own.onmessage = ({ data }) => listen(data)
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = PAGE
  // No other target can be named for an opaque origin; the policy of this page lets nothing but the extension into the frame.
  frame.addEventListener('load', () => frame.contentWindow?.postMessage('port', '*', [theirs]), {
    once: true,
  })
  document.body.append(frame)
  return {
    send: question => {
      // The bytes go along, and are not kept here.
      own.postMessage(question, 'bytes' in question ? [question.bytes.buffer] : [])
    },
    close() {
      own.close()
      frame.remove()
    },
  }
}
