/** The pages of the screens, loaded on demand: each file named `…Page.tsx` of a feature or the shell is one. */
import type { ComponentType } from 'react'
import { screenEntries, type ScreenName } from './screens.ts'

/** Receives the `props` of its screen. */
export type PageComponent = ComponentType<Record<string, unknown>>
/** Loads the page of a screen. */
export type LoadPage = () => Promise<{ default: PageComponent }>

const files = import.meta.glob<{ default: PageComponent }>(['./features/**/*Page.tsx', './shell/**/*Page.tsx'])

export const pages = Object.fromEntries(screenEntries.map(([name, { page }]) => [name, files[`./${page}`]])) as Record<ScreenName, LoadPage>
