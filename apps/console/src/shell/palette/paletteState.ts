import type { Device } from '@gatehouse/contract/devices/device'
import { create } from 'zustand'

interface PaletteState {
  open: boolean
  /** A door that was chosen to be opened, and the number of that choice. */
  opening: { device: Device; round: number } | undefined
  round: number
}

export const usePalette = create<PaletteState>(() => ({ open: false, opening: undefined, round: 0 }))
export const openPalette = (): void => usePalette.setState({ open: true })
export const closePalette = (): void => usePalette.setState({ open: false })
/** Open a door. This continues after the palette has closed, since the door answers later. */
export const openDoor = (device: Device): void =>
  usePalette.setState(({ round }) => ({ opening: { device, round: round + 1 }, round: round + 1 }))
export const doorAnswered = (): void => usePalette.setState({ opening: undefined })
