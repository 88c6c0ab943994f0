/** The palm collector and the printer beside this browser: chosen by one user for one park, and nobody's elsewhere. */
import { storage } from '../api/storage.ts'

type Kind = 'defaultCollector' | 'defaultPrinter'

/** The device chosen here; undefined where another user, or the same one in another park, chose it. */
export function deviceHere(kind: Kind): string | undefined {
  const chosen = storage.get(kind)
  return chosen && chosen.id === storage.get('profile')?.id && chosen.areaCode === storage.get('areaCode') ? chosen.device : undefined
}

export function chooseDeviceHere(kind: Kind, device: string): void {
  storage.set(kind, { id: storage.get('profile')?.id ?? '', areaCode: storage.get('areaCode') ?? '', device })
}
