/** The lists of one import as calls of their own: what a list asks stands in the address, the import in the path. */
import { addressOf } from '@gatehouse/contract'
import { importCalls } from '@gatehouse/contract/imports/calls'

export const rowsOf = (id: string): typeof importCalls.rows => ({ ...importCalls.rows, url: addressOf(importCalls.rows, { id }) })
