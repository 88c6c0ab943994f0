/** The place of the bubbles: the bottom right corner, unless the user types there, or a drawer covers it. */
import { useEffect, useState, type RefObject } from 'react'

/** In the order they are tried. */
const PLACES = ['bottomRight', 'bottomLeft', 'topRight', 'topLeft'] as const
type Place = (typeof PLACES)[number]

interface Size {
  width: number
  height: number
}
interface Box extends Size {
  left: number
  top: number
}

/** Pixels between the bubbles and the edge of the window, as in the style sheet. */
const EDGE = 16

function boxAt(place: Place, { width, height }: Size, view: Size): Box {
  return {
    width,
    height,
    left: place.endsWith('Right') ? view.width - EDGE - width : EDGE,
    top: place.startsWith('bottom') ? view.height - EDGE - height : EDGE,
  }
}
const meet = (one: Box, other: Box): boolean =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height

/**
 * Return the first place at which bubbles of a size cover nothing the user looks at; where there is none, less important boxes may be
 * covered.
 * @param lookedAt the most important first
 */
function freePlace(lookedAt: readonly Box[], bubbles: Size, view: Size): Place {
  const covers = (place: Place): boolean => lookedAt.some((box) => meet(boxAt(place, bubbles, view), box))
  return PLACES.find((place) => !covers(place)) ?? freePlace(lookedAt.slice(0, -1), bubbles, view)
}

interface Stand {
  place: Place
  /** Whether they are shown as lines only, since in full they would cover in every place what they must not. */
  tight: boolean
}

/**
 * Return the place of the bubbles.
 * @param field the field that is typed into: it is never covered
 * @param opened other boxes the user looks at, such as a drawer
 * @param sizes of the bubbles: in full, and at present
 * @param yields whether they must not cover opened boxes either: only a person of the watch list may
 */
export function standOf(
  field: Box | undefined,
  opened: readonly Box[],
  sizes: { full: Size; now: Size },
  view: Size,
  yields = false,
): Stand {
  const lookedAt = field ? [field, ...opened] : opened
  const place = freePlace(lookedAt, sizes.full, view)
  const uncovered = yields ? lookedAt : lookedAt.filter((box) => box === field)
  const tight = uncovered.some((box) => meet(boxAt(place, sizes.full, view), box))
  return { place: tight ? freePlace(lookedAt, sizes.now, view) : place, tight }
}

const NOT_TYPED = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']
const isTypedInto = (element: Element | null): boolean =>
  element instanceof HTMLInputElement
    ? !NOT_TYPED.includes(element.type)
    : element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable)

const openedOver = (): Box[] =>
  [...document.querySelectorAll('[role="dialog"]')].map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0)

/** The bubble of a person who must be seen at once. */
const URGENT = '[data-kind="watchList"]'

/** Events after which a field may have moved, or a drawer closed or finished its animation. */
const MOVES = ['focusin', 'keyup', 'pointerup', 'scroll', 'transitionend', 'animationend'] as const

/**
 * Return the place of the bubbles in the ref; it is computed again when another field is typed into, and when boxes that must stay
 * visible, bubbles or window move.
 */
export function useStand(ref: RefObject<HTMLElement | null>): Stand {
  const [stand, setStand] = useState<Stand>({ place: PLACES[0], tight: false })
  useEffect(() => {
    const bubbles = ref.current
    if (!bubbles) return
    let full: Size | undefined
    // A button there must not move while it is pressed.
    let pressed = false
    const press = ({ type, target }: Event): void => {
      pressed = type === 'pointerdown' && target instanceof Node && bubbles.contains(target)
    }
    const look = (): void => {
      const { activeElement } = document
      const now = bubbles.getBoundingClientRect()
      if (now.width === 0 || pressed) return
      if (full === undefined || bubbles.dataset.tight === undefined) full = now
      const field = isTypedInto(activeElement) ? activeElement?.getBoundingClientRect() : undefined
      const yields = bubbles.querySelector(URGENT) === null
      const next = standOf(field, openedOver(), { full, now }, { width: window.innerWidth, height: window.innerHeight }, yields)
      setStand((before) => (before.place === next.place && before.tight === next.tight ? before : next))
    }
    const left = new AbortController()
    const observer = new ResizeObserver(look)
    observer.observe(bubbles)
    for (const kind of ['pointerdown', 'click']) document.addEventListener(kind, press, { capture: true, signal: left.signal })
    for (const kind of MOVES) document.addEventListener(kind, look, { capture: true, passive: true, signal: left.signal })
    window.addEventListener('resize', look, { signal: left.signal })
    return () => {
      observer.disconnect()
      left.abort()
    }
  }, [ref])
  return stand
}
