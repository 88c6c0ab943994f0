/** Splitter of a stream of consecutive JPEGs, which arrives in chunks of any size. */

export interface JpegSplitter {
  push(chunk: Uint8Array): void
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const MARK = 0xff

/** Markers without a length and content. */
const standsAlone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd7)

/**
 * Return a splitter. It reads the segments of each picture, so that marker bytes inside one (a thumbnail, a comment) end nothing. Bytes
 * that belong to no picture are skipped up to the start of the next one.
 * @param largest bytes; a larger picture is dropped and never stored as a whole
 */
export function createJpegSplitter(largest: number, onPicture: (jpeg: Uint8Array<ArrayBuffer>) => void): JpegSplitter {
  let place: 'outside' | 'outsideMark' | 'marker' | 'code' | 'lengthHigh' | 'lengthLow' | 'scan' | 'scanMark' = 'outside'
  let parts: Uint8Array[] = []
  let size = 0
  /** Marker of the segment whose length is being read. */
  let segment = 0
  let length = 0
  /** Bytes of its content not yet read. */
  let content = 0

  function keep(part: Uint8Array): void {
    size += part.length
    if (size <= largest) parts.push(part)
    else parts = []
  }

  function begin(): void {
    parts = [Uint8Array.of(MARK, SOI)]
    size = 2
    place = 'marker'
  }

  function end(): void {
    const whole = size <= largest ? new Uint8Array(Buffer.concat(parts)) : null
    parts = []
    place = 'outside'
    if (whole) onPicture(whole)
  }

  /** Read the second byte of a marker. */
  function mark(code: number): void {
    if (code === MARK) return
    if (code === EOI || code === SOI || code === 0) place = 'outside'
    else if (standsAlone(code)) place = place === 'code' ? 'marker' : 'scan'
    else {
      segment = code
      place = 'lengthHigh'
    }
  }

  /** Read a byte according to its place. */
  function take(byte: number): void {
    switch (place) {
      case 'marker':
        place = byte === MARK ? 'code' : 'outside'
        break
      case 'code':
        mark(byte)
        break
      case 'lengthHigh':
        length = byte << 8
        place = 'lengthLow'
        break
      case 'lengthLow':
        content = length + byte - 2
        place = content < 0 ? 'outside' : segment === SOS ? 'scan' : 'marker'
        break
      case 'scan':
        if (byte === MARK) place = 'scanMark'
        break
      case 'scanMark':
        // A zero after 0xff means that the 0xff is picture data.
        if (byte === 0) place = 'scan'
        else mark(byte)
        break
    }
  }

  return {
    push(chunk) {
      /** Where the picture continues in this chunk. */
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        if (content > 0) {
          const step = Math.min(content, chunk.length - at)
          content -= step
          at += step - 1
          continue
        }
        const byte = chunk[at]!
        if (place === 'outside') place = byte === MARK ? 'outsideMark' : 'outside'
        else if (place === 'outsideMark') {
          if (byte === SOI) {
            begin()
            from = at + 1
          } else if (byte !== MARK) place = 'outside'
        } else {
          const marked = place === 'code' || place === 'scanMark'
          take(byte)
          if (marked && byte === EOI) {
            keep(chunk.subarray(from, at + 1))
            end()
          } else if (marked && byte === SOI) {
            // The previous picture was never finished.
            begin()
            from = at + 1
          }
        }
      }
      if (place === 'outside' || place === 'outsideMark') parts = []
      else keep(chunk.subarray(from))
    },
  }
}
