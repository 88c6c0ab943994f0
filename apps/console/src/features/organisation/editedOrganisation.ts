/** The organisation that a dialog edits: an existing one, or a new one below another. */
export interface EditedOrganisation {
  id?: string
  parent: { id: string; type: number; isTop: boolean }
}
