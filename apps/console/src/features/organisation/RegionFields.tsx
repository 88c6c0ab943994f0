/** Fields of an organisation, new or changed. */
import { Form, Input, Radio, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX, type InputOf } from '@gatehouse/contract'
import { organisationType, parkType } from '@gatehouse/contract/enums/organisation'
import type { areaCalls } from '@gatehouse/contract/organisation/areas'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { OrganisationField } from '../../shared/OrganisationField.tsx'
import { ModulesField } from './ModulesField.tsx'
import { ZoneField } from './ZoneField.tsx'

export type RegionValues = Partial<InputOf<typeof areaCalls.add.body>> & Partial<InputOf<typeof areaCalls.update.body>>

interface RegionFieldsProps {
  /** Types to choose from; absent: the type stays. */
  types?: number[]
  fixedType?: number | undefined
  /** Whose modules are offered. */
  modulesOf: { id: string } | { parentId: string }
  /** Whether it may be given another parent. */
  movable?: boolean
}

export function RegionFields({ types, fixedType, modulesOf, movable = false }: RegionFieldsProps) {
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
          <Radio.Group optionType="button" options={optionsOf(parkType)} />
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
