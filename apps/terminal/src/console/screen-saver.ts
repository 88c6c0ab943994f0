/** Screen saver: its picture, and the time without anybody present after which it is shown. */
import { IMAGE_MAX_MEDIUM } from '@gatehouse/contract/limits'
import sharp from 'sharp'
import { ConsoleFile, ConsoleRefusal } from './answers.ts'
import { fieldRefusal, type ConsoleCalls } from './call.ts'
import { shownSettings } from './settings.ts'
import type { LocalSettings } from '../settings/local-settings.ts'

/** Storage of the screen saver's picture. */
export interface ScreenSaverPicture {
  /** Return the picture in use; null if there is none. */
  read(): Uint8Array | null
  /** Store a picture chosen here and put it into force. @throws when it cannot be written */
  keep(png: Uint8Array): void
  /** Remove the picture. */
  remove(): void
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

export function screenSaverCalls(settings: LocalSettings, picture: ScreenSaverPicture): ConsoleCalls {
  function refuseServers(): void {
    if (settings.sources().screenSaver === 'server') throw fieldRefusal('screenSaver', 'setByServer')
  }

  return {
    'GET screenSaver': { run: () => ({ ...shownSettings(settings), picture: picture.read() !== null }) },
    'GET screenSaver/picture': {
      run() {
        const bytes = picture.read()
        if (!bytes) throw new ConsoleRefusal('fileMissing')
        return new ConsoleFile(bytes, 'image/png')
      },
    },
    'PUT screenSaver/picture': {
      bodyLimit: IMAGE_MAX_MEDIUM,
      async run({ body }) {
        refuseServers()
        await refuseOtherThanPng(body)
        try {
          picture.keep(body)
        } catch {
          throw new ConsoleRefusal('fileNotSaved')
        }
      },
    },
    'POST screenSaver/remove': {
      run() {
        refuseServers()
        picture.remove()
      },
    },
  }
}

/** Refuse a picture that is not a complete PNG, whatever its name. @throws ConsoleRefusal imageNotPng, fileAbnormal */
async function refuseOtherThanPng(bytes: Uint8Array): Promise<void> {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) throw new ConsoleRefusal('imageNotPng')
  await sharp(bytes)
    .stats()
    .catch(() => Promise.reject(new ConsoleRefusal('fileAbnormal')))
}
