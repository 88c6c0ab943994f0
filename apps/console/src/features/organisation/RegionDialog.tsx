/** Adds an organisation below another, or changes one. */
import { Form, Input, Radio, Segmented, Select, Checkbox, Skeleton } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { areaCalls, type OrganisationModule } from '@gatehouse/contract/organisation/areas'
import { organisationType, parkType as parkTypes } from '@gatehouse/contract/enums/organisation'
import { TEXT_MAX, type InputOf, type PermissionModule } from '@gatehouse/contract'
import { isBuilt } from '@gatehouse/contract/built'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom } from '../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../api/query.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { OrganisationField } from '../../shared/OrganisationField.tsx'
import { sentenceOf } from '../../api/refusal.ts'
import type { EditedOrganisation } from './editedOrganisation.ts'
import styles from './organisation.module.css'

interface RegionDialogProps {
  editor: Editor<EditedOrganisation>
  onAdded: (id: string) => void
}

export default function RegionDialog({ editor, onAdded }: RegionDialogProps) {
  const { id, parent } = editor.target!
  return id === undefined ? <AddRegion editor={editor} parent={parent} onAdded={onAdded} /> : <ChangeRegion editor={editor} id={id} />
}

function AddRegion({ editor, parent, onAdded }: RegionDialogProps & { parent: EditedOrganisation['parent'] }) {
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

function ChangeRegion({ editor, id }: { editor: Editor<EditedOrganisation>; id: string }) {
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

/** Return the types allowed below an organisation, by the same rule as the server. */
function typesBelow({ type, isTop }: { type: number; isTop: boolean }): (100 | 200 | 300)[] {
  if (type === organisationType.park) return []
  if (type === organisationType.company) return [organisationType.park, organisationType.company]
  return isTop ? [organisationType.company, organisationType.partner] : [organisationType.company]
}

type RegionValues = Partial<InputOf<typeof areaCalls.add.body>> & Partial<InputOf<typeof areaCalls.update.body>>

interface RegionFieldsProps {
  /** Types to choose from; absent: the type stays. */
  types?: number[]
  fixedType?: number | undefined
  /** The organisation whose modules are offered. */
  modulesOf: { id: string } | { parentId: string }
  /** Whether its parent can be changed. */
  movable?: boolean
}

/** The fields of an organisation. */
function RegionFields({ types, fixedType, modulesOf, movable = false }: RegionFieldsProps) {
  const { t } = useTranslation('organisation')
  const labelOf = useEnumLabel()
  const optionsOf = useEnumOptions()
  const chosen = Form.useWatch<number | undefined>('type')
  const isPark = (types === undefined ? fixedType : chosen) === organisationType.park
  return (
    <>
      <Form.Item name="name" label={t('name')} required>
        <Input maxLength={TEXT_MAX} />
      </Form.Item>
      {types && (
        <Form.Item name="type" label={t('type')} required extra={t(`typeWords.${chosen ?? types[0]!}`)}>
          <Segmented aria-label={t('type')} options={types.map((value) => ({ value, label: labelOf(organisationType, value) }))} />
        </Form.Item>
      )}
      {isPark && (
        <Form.Item name="parkType" label={t('parkType')} required extra={t('parkTypeWords')}>
          <Radio.Group optionType="button" options={optionsOf(parkTypes)} />
        </Form.Item>
      )}
      {movable && (
        <Form.Item name="parentId" label={t('parent')} extra={t('parentWords')}>
          <OrganisationField />
        </Form.Item>
      )}
      <Form.Item name="zone" label={t('zone')} extra={t(isPark ? 'zoneWords' : 'zoneWordsAbove')}>
        <ZoneField />
      </Form.Item>
      <Form.Item name="modules" label={t('modules.title')} extra={t('modules.words')}>
        <ModulesField of={modulesOf} />
      </Form.Item>
    </>
  )
}

interface ZoneFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (zone: string) => void
}

/** Return the current offset of a zone, such as `GMT+8`. */
const offsetOf = (zone: string): string => {
  const part = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(Date.now())
    .find(({ type }) => type === 'timeZoneName')
  return part?.value.replace('GMT', 'UTC') ?? ''
}

/** A time zone, searched by name, with its current offset from UTC. */
function ZoneField({ id, value, onChange }: ZoneFieldProps) {
  const { t } = useTranslation('organisation')
  const options = useMemo(() => {
    // A zone stored under a name the browser does not list keeps that name.
    const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(value ? [value] : [])])
    return [...names].toSorted().map((zone) => ({ value: zone, label: `${zone.replaceAll('_', ' ')} (${offsetOf(zone)})` }))
  }, [value])
  return (
    <Select
      {...(id && { id })}
      {...(value && { value })}
      onChange={(zone: string) => onChange?.(zone)}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('zone')}
      style={{ width: '100%' }}
    />
  )
}

interface ModulesFieldProps {
  of: { id: string } | { parentId: string }
  /** Given by `<Form.Item>`. */
  id?: string
  value?: readonly string[]
  onChange?: (on: string[]) => void
}

/** The built function modules as switches; the state of others is kept. A module that cannot be switched shows why. */
function ModulesField({ of, id, value = [], onChange }: ModulesFieldProps) {
  const { t } = useTranslation(['permissions', 'organisation'])
  const modules = useRead(areaCalls.modules, { query: of })
  if (modules.isError) return <p role="alert">{sentenceOf(modules.error)}</p>
  if (!modules.data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const why = ({ available, enabled, enabledBelow }: OrganisationModule): string | null => {
    if (!available && !enabled) return t('organisation:modules.closedAbove')
    return enabled && enabledBelow > 0 ? t('organisation:modules.onBelow', { count: enabledBelow }) : null
  }
  const toggle = (module: string, on: boolean): void => onChange?.(on ? [...value, module] : value.filter((other) => other !== module))
  return (
    <div {...(id && { id })} className={styles.switches} role="group" aria-label={t('organisation:modules.title')} tabIndex={-1}>
      {modules.data
        .filter(({ module }) => isBuilt(module as PermissionModule))
        .map((one) => (
          <Checkbox
            key={one.module}
            checked={value.includes(one.module)}
            disabled={!one.available}
            onChange={(event) => toggle(one.module, event.target.checked)}
          >
            {t(`module.${one.module}`)}
            {why(one) && <small>{why(one)}</small>}
          </Checkbox>
        ))}
    </div>
  )
}
