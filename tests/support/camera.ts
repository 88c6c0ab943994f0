/** A camera that shows a photo: Chromium plays a file of pictures in place of a camera of the system. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

/** Pixels of each picture. */
const SIZE = { width: 640, height: 480 }
/** Pictures of the film; it is played in a loop. */
const FRAMES = 4

export interface FakeCamera {
  /** For `launchChromium`: the film, and permission to use it without a question. */
  args: string[]
  remove(): void
}

export async function fakeCamera(photo: Uint8Array): Promise<FakeCamera> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-camera-'))
  const film = join(folder, 'face.mjpeg')
  const frame = await sharp(photo)
    .resize({ ...SIZE, fit: 'contain', background: '#7f8894' })
    .jpeg({ quality: 95, chromaSubsampling: '4:2:0' })
    .toBuffer()
  writeFileSync(film, Buffer.concat(Array.from({ length: FRAMES }, () => frame)))
  return {
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${film}`],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
