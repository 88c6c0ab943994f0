/** Where a camera sends its pictures from, as it is named at the start. */

/** The camera of the start cannot be used; the message says why, without its password. */
export class CameraUnusable extends Error {
  override readonly name = 'CameraUnusable'
}

export interface CameraAddress {
  /** As ffmpeg is given it. */
  url: string
  /** What may be read by anybody: without account, path and query, any of which may hold a password. */
  shown: string
}

const SCHEMES = ['rtsp:', 'rtsps:', 'http:', 'https:']

/** @throws CameraUnusable for what is no address of a camera */
export function cameraAddress(text: string): CameraAddress {
  if (!URL.canParse(text)) throw new CameraUnusable('--camera is no address; it looks like rtsp://user:password@192.168.1.40:554/stream.')
  const url = new URL(text)
  const { protocol, host, href } = url
  if (!SCHEMES.includes(protocol)) throw new CameraUnusable(`--camera takes rtsp, rtsps, http and https, not ${protocol.slice(0, -1)}.`)
  if (host === '') throw new CameraUnusable(`--camera names no host after ${protocol}//.`)
  return { url: href, shown: `${protocol}//${host}` }
}

/** Whether an address carries a password. */
export const hasPassword = (text: string): boolean => URL.canParse(text) && new URL(text).password !== ''
