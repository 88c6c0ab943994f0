/** What a visitor has typed, kept in the browser's tab until it is submitted. */

export interface Companion {
  name: string
  phone: string
}

export interface Draft {
  /** Names the visit that this form makes: sent twice, it makes one. */
  key: string
  name: string
  phone: string
  email: string
  hostName: string
  hostNumber: string
  /** Null: none is chosen. */
  reason: number | null
  /** On a clock in the park's zone. */
  start: string
  end: string
  companions: Companion[]
  consent: boolean
  /** What was done with documents, by their id. */
  accepted: Record<string, { ticked: boolean; strokes: number[][]; typedName: string }>
  /** Address and thumbnail of the photo that was checked; empty without one. */
  photo: { url: string; thumbnail: string } | null
  /** Values of own fields by their id; of a picture its address. */
  own: Record<string, string>
}

/** Return a random UUID, which browsers offer as such over https only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const placeOf = (token: string): string => `visit.${token.slice(0, 12)}`

/** Return what was typed under a link; `fresh` where nothing was. */
export function readDraft(token: string, fresh: Draft): Draft {
  try {
    const stored = sessionStorage.getItem(placeOf(token))
    return stored === null ? fresh : { ...fresh, ...(JSON.parse(stored) as Partial<Draft>) }
  } catch {
    return fresh
  }
}

export function storeDraft(token: string, draft: Draft): void {
  try {
    sessionStorage.setItem(placeOf(token), JSON.stringify(draft))
  } catch {
    // A browser that stores nothing loses the form with the page alone.
  }
}

export function dropDraft(token: string): void {
  try {
    sessionStorage.removeItem(placeOf(token))
  } catch {
    // Nothing is stored then.
  }
}
