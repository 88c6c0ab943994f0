/**
 * A folder of pictures, taken in the order of their names. A picture that was taken is moved to `taken` beside it, one that is none to
 * `refused`; both are deleted where the camera keeps nobody who matches no task. How many faces of a picture are stored is written with
 * each of them, so that a camera that is killed takes no face twice.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { extname, join, parse } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PhotoRefusal } from '@gatehouse/face-engine'
import { CameraUnusable } from '../camera/address.ts'
import type { Capture } from './capture.ts'

export interface PictureFolder {
  /** Resolves when the picture under way is taken. */
  stop(): Promise<void>
}

export interface PictureFolderParts {
  folder: string
  /** Return the captures of a picture, in the same order each time. @throws PhotoRefusal */
  capturesOf: (picture: Uint8Array) => Promise<Capture[]>
  /** Store a capture and the mark of the picture being taken: both or neither. @throws when they cannot be written */
  take: (capture: Capture, mark: string) => void
  /** The mark stored last. */
  mark: { read(): string | null; clear(): void }
  /** Whether pictures stay in the folder once they were taken. */
  keepsTaken: () => boolean
  /** Milliseconds between two looks at the folder. */
  every?: number | undefined
  log: (sentence: string) => void
}

/** The picture being taken, and how many of its captures are stored. */
interface Mark extends PictureFile {
  stored: number
}

/** One file; another one of the same name differs in size or time. */
interface PictureFile {
  name: string
  size: number
  changedAt: number
}

const TYPES = new Set(['.jpg', '.jpeg', '.png', '.webp'])
const byName = new Intl.Collator('en', { numeric: true }).compare

/** Take the pictures of a folder, and those that come to it. @throws CameraUnusable for a folder that cannot be read and written */
export function takeFolder({ folder, capturesOf, take, mark, keepsTaken, every = 1_000, log }: PictureFolderParts): PictureFolder {
  const [taken, refused] = [join(folder, 'taken'), join(folder, 'refused')]
  const stopping = new AbortController()
  /** What the files were at the last look: a picture is taken once it has stopped growing. */
  let seen = new Map<string, string>()

  try {
    accessSync(folder, constants.R_OK | constants.W_OK)
    for (const place of [taken, refused]) mkdirSync(place, { recursive: true })
  } catch (error) {
    throw new CameraUnusable(`--folder ${folder} cannot be read and written: ${(error as Error).message}`)
  }

  /** Return how many captures of a picture were stored before the program ended. */
  function storedOf(picture: PictureFile): number {
    const { stored = 0, ...marked } = JSON.parse(mark.read() ?? '{}') as Partial<Mark>
    return JSON.stringify(marked) === JSON.stringify(picture) ? stored : 0
  }

  async function takePicture(picture: PictureFile): Promise<void> {
    const { name } = picture
    const file = join(folder, name)
    try {
      const captures = await capturesOf(readFileSync(file))
      const before = storedOf(picture)
      for (const [index, capture] of captures.slice(before).entries())
        take(capture, JSON.stringify({ ...picture, stored: before + index + 1 } satisfies Mark))
      moveTo(taken, name)
    } catch (error) {
      if (!(error instanceof PhotoRefusal)) throw error
      log(`${file} is no picture that can be taken: ${error.message}`)
      moveTo(refused, name)
    }
    mark.clear()
  }

  function moveTo(place: string, name: string): void {
    if (!keepsTaken()) return rmSync(join(folder, name))
    const { name: stem, ext } = parse(name)
    let free = name
    for (let number = 2; existsSync(join(place, free)); number++) free = `${stem}-${number}${ext}`
    renameSync(join(folder, name), join(place, free))
  }

  async function lookOnce(): Promise<void> {
    const pictures = readdirSync(folder)
      .filter((name) => TYPES.has(extname(name).toLowerCase()))
      .toSorted(byName)
      .flatMap((name): PictureFile[] => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false })
        return found?.isFile() === true ? [{ name, size: found.size, changedAt: found.mtimeMs }] : []
      })
    const before = seen
    seen = new Map(pictures.map((picture) => [picture.name, JSON.stringify(picture)]))
    for (const picture of pictures) {
      if (stopping.signal.aborted) return
      // A later one that is complete waits for this one: the order is that of the names.
      if (before.get(picture.name) !== seen.get(picture.name)) return
      await takePicture(picture)
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await lookOnce()
      } catch (error) {
        log(`The pictures of ${folder} cannot be taken at present: ${error instanceof Error ? error.message : String(error)}`)
      }
      await pause(every, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
