/** The program ffmpeg, which reads cameras. It runs without a shell and delivers pictures through a pipe. */
import { execFile, spawn } from 'node:child_process'
import { CameraUnusable, type CameraAddress } from './address.ts'
import { faultOf, type CameraFault } from './fault.ts'
import { createJpegSplitter } from './jpegs.ts'

const PROGRAM = 'ffmpeg'
/** As many as the engine can process thoroughly while nothing else uses it. */
export const PICTURES_PER_SECOND = 4
const WIDEST = 1_280
/** Bytes. A picture of the width requested takes about a tenth of this. */
const LARGEST = 4 * 1_048_576
/** Milliseconds ffmpeg gets to close its session at the camera: many cameras serve only a few sessions at once. */
const LEAVE = 1_000
/** With these protocols alone, no answer of a camera can make ffmpeg open files of this machine. */
const PROTOCOLS = 'rtsp,rtp,tcp,udp,tls,http,https,crypto'

/** Check that ffmpeg is installed. @throws CameraUnusable if it is not */
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

/** Options as on a command line; none of them contains a space. */
const GENERAL = `-nostdin -hide_banner -loglevel error -protocol_whitelist ${PROTOCOLS}`.split(' ')
const OF_RTSP = '-rtsp_transport tcp -allowed_media_types video'.split(' ')
/** The time of arrival is the time of a picture, because clocks of cameras jump. */
const AS_IT_COMES = '-fflags nobuffer -analyzeduration 2000000 -use_wallclock_as_timestamps 1'.split(' ')
const asPictures = (perSecond: number): string[] =>
  `-map 0:v:0 -vf fps=${perSecond},scale='min(${WIDEST},iw)':-2 -f image2pipe -c:v mjpeg -pix_fmt yuvj420p -q:v 3 pipe:1`.split(' ')

const argumentsFor = ({ url }: CameraAddress, perSecond: number): string[] => [
  ...GENERAL,
  ...(url.startsWith('rtsp') ? OF_RTSP : []),
  ...AS_IT_COMES,
  '-i',
  url,
  ...asPictures(perSecond),
]

/** Why the program has ended. */
interface Ending {
  fault: CameraFault
  /** In words that contain no password. */
  sentence: string
}

export interface Recording {
  /** Resolves when the program has ended. */
  ended: Promise<Ending>
  end(): void
}

export interface RecordOptions {
  address: CameraAddress
  /** Milliseconds without a picture after which the program is ended. */
  silence: number
  picturesPerSecond: number
}

/** Start to take pictures. */
export function record(
  { address, silence, picturesPerSecond }: RecordOptions,
  onPicture: (jpeg: Uint8Array<ArrayBuffer>) => void,
): Recording {
  const program = spawn(PROGRAM, argumentsFor(address, picturesPerSecond), { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  const ended = Promise.withResolvers<Ending>()
  let stderr = ''
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
  program.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2_000)))
  // A program that could not be started emits `error`, and `close` as well.
  program.once('error', ({ message }) => (stderr = message))
  program.once('close', () => {
    clearTimeout(watching)
    clearTimeout(killing)
    ended.resolve(
      isSilent
        ? { fault: 'silent', sentence: `it sent no picture for ${silence / 1_000} s` }
        : { fault: faultOf(stderr), sentence: lastWords(stderr, address) },
    )
  })
  watch()
  return { ended: ended.promise, end }
}

/** Return the last message of ffmpeg. It repeats the address with its password, which is replaced. */
function lastWords(stderr: string, { shown }: CameraAddress): string {
  const line = stderr.trim().split('\n').at(-1) ?? ''
  return line.replaceAll(/\w+:\/\/\S*[^\s:]/g, shown).slice(0, 200) || 'it ended the connection'
}
