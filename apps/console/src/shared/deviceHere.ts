/** The palm collector and the printer beside this browser: the choice of one user for one park, which applies to no others. */
import { storage } from '../api/storage.ts'

type Kind = 'defaultCollector' | 'defaultPrinter'

/** Return the device chosen here; undefined where another user chose it, or the same one in another park. */
export function deviceHere(kind: Kind): string | undefined {
  const chosen = storage.get(kind)
  return chosen && chosen.id === storage.get('profile')?.id && chosen.areaCode === storage.get('areaCode') ? chosen.device : undefined
}

export function chooseDeviceHere(kind: Kind, device: string): void {
  storage.set(kind, { id: storage.get('profile')?.id ?? '', areaCode: storage.get('areaCode') ?? '', device })
}
