/**
 * A folder of pictures, taken in the order of their names. A picture that was taken is moved to `taken` beside it, one that is none to
 * `refused`. What is stored of a picture is counted by the numbers of the captures, so that a camera that is killed takes no face twice.
 */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { extname, join, parse } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PhotoRefusal } from '@gatehouse/face-engine'
import { CameraUnusable } from '../camera/address.ts'
import type { ItemNumber } from '../device/numbered.ts'
import type { Capture } from './capture.ts'

export interface PictureFolder {
  /** Resolves when the picture under way is taken. */
  stop(): Promise<void>
}

export interface PictureFolderParts {
  folder: string
  /** Return the captures of a picture, in the same order each time. @throws PhotoRefusal */
  capturesOf: (picture: Uint8Array) => Promise<Capture[]>
  /** Store a capture. @throws when it cannot be written */
  take: (capture: Capture) => void
  /** Return the number of the newest capture; null before the first. */
  newest: () => ItemNumber | null
  /** The picture being taken, kept on the disk. */
  mark: { read(): string | null; write(text: string): void; clear(): void }
  /** Milliseconds between two looks at the folder. */
  every?: number | undefined
  log: (sentence: string) => void
}

/** The picture being taken, and the newest capture before it. */
interface Mark extends PictureFile {
  before: ItemNumber | null
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
export function takeFolder({ folder, capturesOf, take, newest, mark, every = 1_000, log }: PictureFolderParts): PictureFolder {
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
    const { before, ...under } = (JSON.parse(mark.read() ?? '{}') ?? {}) as Partial<Mark>
    const last = newest()
    if (JSON.stringify(under) !== JSON.stringify(picture) || last === null) return 0
    return last.epoch === before?.epoch ? last.seq - before.seq : last.seq
  }

  async function takePicture(picture: PictureFile): Promise<void> {
    const { name } = picture
    const file = join(folder, name)
    try {
      const captures = await capturesOf(readFileSync(file))
      const stored = storedOf(picture)
      if (stored === 0) mark.write(JSON.stringify({ ...picture, before: newest() } satisfies Mark))
      captures.slice(stored).forEach(take)
      moveTo(taken, name)
    } catch (error) {
      if (!(error instanceof PhotoRefusal)) throw error
      log(`${file} is no picture that can be taken: ${error.message}`)
      moveTo(refused, name)
    }
    mark.clear()
  }

  function moveTo(place: string, name: string): void {
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
