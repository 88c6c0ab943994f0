/** Films that ffmpeg pushes to simulated cameras. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

export const FFMPEG = 'ffmpeg'

/** Why simulated cameras cannot be used; null where they can. */
export const ffmpegMissing: string | null =
  spawnSync(FFMPEG, ['-version'], { stdio: 'ignore' }).status === 0 ? null : 'ffmpeg is not installed (Debian: apt-get install ffmpeg)'

export interface Films {
  /** Push a film to a path, again and again or once. @returns resolves at its end, and ends it earlier */
  film(path: string, file: string, options?: { loops?: boolean }): Film
  /** Film live at a path. The last picture stands still until others follow. @param first JPEG, as all of them */
  broadcast(path: string, first: Uint8Array, perSecond?: number): Broadcast
  /** End all of them. */
  stop(): Promise<void>
}

export interface Film {
  ended: Promise<void>
  stop(): Promise<void>
}

export interface Broadcast {
  /** Show pictures, as many a second as were said; resolves when the last one is shown. */
  show(pictures: AsyncIterable<Uint8Array>): Promise<void>
  stop(): Promise<void>
}

/** Options by which ffmpeg encodes what a camera films: H.264 with a key frame each second. */
export const encodedFor = (perSecond: number): string[] =>
  `-c:v libx264 -preset veryfast -tune zerolatency -crf 18 -g ${perSecond} -bf 0 -pix_fmt yuv420p -x264-params repeat-headers=1`.split(' ')

/** @param url returns the address of a path, with its account */
export function createFilms(url: (path: string) => string): Films {
  const films = new Set<ChildProcess>()

  /** Start ffmpeg, which pushes to a path. */
  function push(path: string, input: readonly string[], codec: readonly string[]): { program: ChildProcess; film: Film } {
    const words = ['-nostdin', '-loglevel', 'error', ...input, ...codec, '-f', 'rtsp', '-rtsp_transport', 'tcp', url(path)]
    const program = spawn(FFMPEG, words, { stdio: ['pipe', 'ignore', 'inherit'] })
    // It may end, or be ended, while pictures are written.
    program.stdin!.on('error', () => {})
    films.add(program)
    const ended = once(program, 'close').then(() => void films.delete(program))
    const stop = async () => {
      program.kill('SIGKILL')
      await ended
    }
    return { program, film: { ended, stop } }
  }

  function film(path: string, file: string, { loops = false } = {}): Film {
    return push(path, ['-re', ...(loops ? ['-stream_loop', '-1'] : []), '-i', file], ['-c', 'copy']).film
  }

  function broadcast(path: string, first: Uint8Array, perSecond = 25): Broadcast {
    const input = ['-f', 'image2pipe', '-c:v', 'mjpeg', '-framerate', String(perSecond), '-i', 'pipe:0']
    const { program, film: pushed } = push(path, input, encodedFor(perSecond))
    let picture = first
    let showing: { pictures: AsyncIterator<Uint8Array>; done: () => void } | null = null
    let isStopped = false

    async function run(): Promise<void> {
      for (let due = performance.now(); !isStopped; due = Math.max(due + 1_000 / perSecond, performance.now() - 1_000)) {
        const next = await showing?.pictures.next()
        if (next?.done === false) picture = next.value
        else if (next) {
          showing?.done()
          showing = null
        }
        if (!program.stdin!.write(picture)) await Promise.race([once(program.stdin!, 'drain'), pushed.ended])
        await pause(Math.max(0, due - performance.now()))
      }
    }

    const running = run()
    return {
      show: (pictures) => new Promise((done) => (showing = { pictures: pictures[Symbol.asyncIterator](), done })),
      async stop() {
        isStopped = true
        await pushed.stop()
        await running
      },
    }
  }

  return {
    film,
    broadcast,
    async stop() {
      const ends = [...films].map((program) => (program.exitCode === null ? once(program, 'close') : null))
      for (const program of films) program.kill('SIGKILL')
      await Promise.all(ends)
    },
  }
}
