/** The template tag of the pages, which turns HTML into elements and components. */
import htm from 'htm'
import { h, type ComponentChildren, type VNode } from 'preact'

export type Children = ComponentChildren

/** Return the content of a template. Several adjacent elements are a list, which may stand wherever a single one may. */
export const html = htm.bind<VNode>(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode
