/** Listens for Ctrl+K; the palette itself is loaded when first opened. */
import { lazy, Suspense, useEffect } from 'react'
import { closePalette, usePalette } from './paletteState.ts'

const Palette = lazy(() => import('./Palette.tsx'))

export function PaletteHost() {
  const palette = usePalette()
  useEffect(() => {
    const toggle = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      usePalette.setState(({ open }) => ({ open: !open }))
    }
    window.addEventListener('keydown', toggle)
    return () => {
      window.removeEventListener('keydown', toggle)
      // If the session ends while it is open, it is closed at the next login.
      closePalette()
    }
  }, [])
  return palette.open || palette.opening !== undefined ? (
    <Suspense fallback={null}>
      <Palette />
    </Suspense>
  ) : null
}
