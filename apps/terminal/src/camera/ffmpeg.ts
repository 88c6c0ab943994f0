/** The program ffmpeg, which knows cameras: it is run without a shell and gives pictures through a pipe. */
import { execFile, spawn } from 'node:child_process'
import { CameraUnusable, type CameraAddress } from './address.ts'
import { createJpegSplitter } from './jpegs.ts'

const PROGRAM = 'ffmpeg'
/** As many as the engine can look at where nobody else asks it. */
const PICTURES_PER_SECOND = 4
const WIDEST = 1_280
/** Bytes; a picture of this size has a tenth of it. */
const LARGEST = 4 * 1_048_576
/** Milliseconds it gets to take leave of the camera, many of which serve few at once. */
const LEAVE = 1_000
/** Whatever a camera answers, it cannot make ffmpeg open files of this machine. */
const PROTOCOLS = 'rtsp,rtp,tcp,udp,tls,http,https,crypto'

/** @throws CameraUnusable where the program is not installed */
export function findFfmpeg(): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(PROGRAM, ['-version'], { windowsHide: true }, (error) => {
      if (error)
        reject(
          new CameraUnusable('--camera needs the program ffmpeg, which does not start here; install it (Debian: apt-get install ffmpeg).'),
        )
      else resolve()
    })
  })
}

/** As they are written on a command line: none of them has a space. */
const GENERAL = `-nostdin -hide_banner -loglevel error -protocol_whitelist ${PROTOCOLS}`.split(' ')
const OF_RTSP = '-rtsp_transport tcp -allowed_media_types video'.split(' ')
/** The moment of arrival is the time of a picture: clocks of cameras jump. */
const AS_IT_COMES = '-fflags nobuffer -analyzeduration 2000000 -use_wallclock_as_timestamps 1'.split(' ')
const AS_PICTURES =
  `-map 0:v:0 -vf fps=${PICTURES_PER_SECOND},scale='min(${WIDEST},iw)':-2 -f image2pipe -c:v mjpeg -pix_fmt yuvj420p -q:v 3 pipe:1`.split(
    ' ',
  )

const argumentsFor = ({ url }: CameraAddress): string[] => [
  ...GENERAL,
  ...(url.startsWith('rtsp') ? OF_RTSP : []),
  ...AS_IT_COMES,
  '-i',
  url,
  ...AS_PICTURES,
]

export interface Recording {
  /** Why there are no more pictures, in words without a password; resolves when the program has ended. */
  ended: Promise<string>
  end(): void
}

/** Begins to take pictures. @param silence milliseconds without a picture after which it is ended */
export function record(address: CameraAddress, silence: number, onPicture: (jpeg: Uint8Array<ArrayBuffer>) => void): Recording {
  const program = spawn(PROGRAM, argumentsFor(address), { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  const ended = Promise.withResolvers<string>()
  let said = ''
  let isSilent = false
  let killing: NodeJS.Timeout | undefined
  let watching: NodeJS.Timeout | undefined

  function end(): void {
    if (killing) return
    program.kill('SIGTERM')
    killing = setTimeout(() => program.kill('SIGKILL'), LEAVE)
  }

  function watch(): void {
    clearTimeout(watching)
    watching = setTimeout(() => {
      isSilent = true
      end()
    }, silence)
    watching.unref()
  }

  const pictures = createJpegSplitter(LARGEST, (jpeg) => {
    if (killing) return
    watch()
    onPicture(jpeg)
  })
  program.stdout.on('data', (chunk: Uint8Array) => pictures.push(chunk))
  program.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)))
  // What could not be started says so, and is over as well.
  program.once('error', ({ message }) => (said = message))
  program.once('close', () => {
    clearTimeout(watching)
    clearTimeout(killing)
    ended.resolve(isSilent ? `it sent no picture for ${silence / 1_000} s` : lastWords(said, address))
  })
  watch()
  return { ended: ended.promise, end }
}

/** What ffmpeg said last; it repeats the address, with the password in it. */
function lastWords(said: string, { shown }: CameraAddress): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return line.replaceAll(/\w+:\/\/\S*[^\s:]/g, shown).slice(0, 200) || 'it ended the connection'
}
