/** Adds an organisation below another, or changes one. */
import { useTranslation } from 'react-i18next'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import type { Editing } from './Region.tsx'
import { RegionFields, type RegionValues } from './RegionFields.tsx'
import { typesBelow } from './types.ts'

interface RegionDialogProps {
  editor: Editor<Editing>
  onAdded: (id: string) => void
}

export default function RegionDialog({ editor, onAdded }: RegionDialogProps) {
  const { id, parent } = editor.target!
  return id === undefined ? <AddRegion editor={editor} parent={parent} onAdded={onAdded} /> : <ChangeRegion editor={editor} id={id} />
}

function AddRegion({ editor, parent, onAdded }: RegionDialogProps & { parent: Editing['parent'] }) {
  const { t } = useTranslation('organisation')
  const above = useRead(areaCalls.read, { params: { id: parent.id } })
  const types = typesBelow(parent)
  return (
    <FormDialog<typeof areaCalls.add, RegionValues>
      call={areaCalls.add}
      editor={editor}
      title={t('addTitle', { name: above.data?.name ?? '' })}
      initial={loadedFrom(above, ({ zone, modules }): RegionValues => ({
        type: types[0]!,
        zone,
        modules: modules as NonNullable<RegionValues['modules']>,
      }))}
      hidden={{ parentId: parent.id }}
      done={t('added')}
      onDone={({ id }) => onAdded(id)}
      draft={`region.add.${parent.id}`}
    >
      <RegionFields types={types} modulesOf={{ parentId: parent.id }} />
    </FormDialog>
  )
}

function ChangeRegion({ editor, id }: { editor: Editor<Editing>; id: string }) {
  const { t } = useTranslation('organisation')
  const region = useReadOnce(areaCalls.read, { params: { id } })
  return (
    <FormDialog<typeof areaCalls.update, RegionValues>
      call={areaCalls.update}
      editor={editor}
      title={t('editTitle', { name: region.data?.name ?? '' })}
      initial={loadedFrom(
        region,
        ({ name, type, parkType, zone, modules, parentId }) =>
          ({ name, type, parkType, zone, parentId, modules: modules as NonNullable<RegionValues['modules']> }) as RegionValues,
      )}
      hidden={{ id, version: region.data?.version }}
      done={t('saved')}
      draft={`region.${id}`}
    >
      <RegionFields modulesOf={{ id }} movable={region.data?.movable ?? false} fixedType={region.data?.type} />
    </FormDialog>
  )
}
