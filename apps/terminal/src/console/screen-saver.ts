/** Screen saver: a picture of one's own, and after how long without anybody it is shown. */
import { IMAGE_MAX_MEDIUM } from '@gatehouse/contract/limits'
import sharp from 'sharp'
import { ConsoleFile, ConsoleRefusal } from './answers.ts'
import { fieldRefusal, type ConsoleCalls } from './call.ts'
import { shownSettings } from './settings.ts'
import type { LocalSettings } from '../settings/local-settings.ts'

/** Where the picture of the screen saver lies. */
export interface ScreenSaverPicture {
  /** The picture that is shown now; null where there is none. */
  read(): Uint8Array | null
  /** Keeps a picture chosen here and puts it in force. @throws when it cannot be written */
  keep(png: Uint8Array): void
  /** Goes back to none. */
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

/** A renamed picture is none, and neither is half of one. @throws ConsoleRefusal imageNotPng, fileAbnormal */
async function refuseOtherThanPng(bytes: Uint8Array): Promise<void> {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) throw new ConsoleRefusal('imageNotPng')
  await sharp(bytes)
    .stats()
    .catch(() => Promise.reject(new ConsoleRefusal('fileAbnormal')))
}
