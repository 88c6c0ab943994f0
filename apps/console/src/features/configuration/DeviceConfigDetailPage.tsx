/** /deviceConfigDetail: the own settings of a device (?id=), or a template (?template=), which is new where the id is empty. */
import { useQueryClient } from '@tanstack/react-query'
import { Button, Form, Input, Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  configurationCalls,
  type DeviceSettingDetail,
  type ParkSettings,
  type SettingTemplate,
} from '@gatehouse/contract/configuration/calls'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { isTypeBuilt } from '@gatehouse/contract/built'
import { Screen } from '../../kit/detail/Screen.tsx'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { readOptions, useRead } from '../../api/query.ts'
import { useContractForm } from '../../kit/form/useContractForm.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import { readPark } from '../../api/readPark.ts'
import { CopyDialog, type CopySource } from './CopyDialog.tsx'
import { DoorSign } from './DoorSign.tsx'
import { KeptCaptures } from './KeptCaptures.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { contradictionsIn, inheritedFrom, settingsOf, sourcesOf, NOT_IN_DRAFTS, valuesOf, type SettingValues } from './settingValues.ts'
import styles from './configuration.module.css'

export default function DeviceConfigDetailPage() {
  const { t } = useTranslation('configuration')
  const [search] = useSearchParams()
  const [id, template] = [search.get('id'), search.get('template')]
  if (id !== null) return <DeviceSettings key={id} id={id} />
  if (template === null)
    return (
      <Screen title={t('title')}>
        <p role="alert">{t('nothingNamed')}</p>
      </Screen>
    )
  return template === '' ? <AddTemplate /> : <ChangeTemplate key={template} id={template} />
}

/** Settings of one device: its own, beside those it inherits from the park. */
function DeviceSettings({ id }: { id: string }) {
  const detail = useRead(configurationCalls.detail, { query: { id } })
  return <DetailPage query={detail}>{(found) => <DeviceForm detail={found} />}</DetailPage>
}

function DeviceForm({ detail }: { detail: DeviceSettingDetail }) {
  const { t } = useTranslation('configuration')
  const label = useEnumLabel()
  const cache = useQueryClient()
  const copying = useEditor<CopySource>()
  const sign = useEditor<DeviceSettingDetail>()
  const isCamera = detail.deviceType === deviceType.captureCamera
  const { id, name, park, secrets, version } = detail
  const inherited = useMemo(() => inheritedFrom(park), [park])
  const initial = useMemo(() => valuesOf(detail), [detail])
  const contract = useContractForm<typeof configurationCalls.add, SettingValues>({
    call: configurationCalls.add,
    hidden: { deviceId: id, version },
    also: (values) => contradictionsIn(values, inherited),
    unkept: NOT_IN_DRAFTS,
    draft: `deviceSetting.${id}`,
    done: t('device.saved'),
    // Cached at once: otherwise the former values would be shown again until the next read.
    onDone(saved) {
      cache.setQueryData(readOptions(configurationCalls.detail, { query: { id } }).queryKey, saved)
      readPark()
    },
  })
  return (
    <Screen
      title={t('device.title', { name })}
      note={`${label(deviceType, detail.deviceType)} · ${label(deviceModel, detail.model)}`}
      actions={
        <>
          {isCamera && <Button onClick={() => sign.edit(detail)}>{t('sign.action')}</Button>}
          <Button onClick={() => copying.edit({ from: 'device', id, name })}>{t('copy.action')}</Button>
        </>
      }
    >
      <p className={styles.words}>
        {t('device.words')} <Link to={path('deviceConfigDefaults')}>{t('device.parkLink')}</Link>
      </p>
      <SettingsForm
        contract={contract}
        initial={initial}
        inherited={inherited}
        secrets={secrets}
        oneDevice
        type={detail.deviceType}
        captures={isCamera && <KeptCaptures deviceId={id} />}
      />
      {sign.openingCount > 0 && (
        <DoorSign key={`sign.${sign.openingCount}`} editor={sign} keeping={{ ...inherited.values, ...settingsOf(detail) }} />
      )}
      {copying.openingCount > 0 && copying.target && <CopyDialog key={copying.openingCount} editor={copying} source={copying.target} />}
    </Screen>
  )
}

/** A template: its name, the devices it fits, and its settings. */
interface TemplateValues extends SettingValues {
  name?: string
  deviceType: number
  model: number
}

const NEW: TemplateValues = { deviceType: deviceType.faceAccessController, model: deviceModel.standard, withoutValue: [] }

function AddTemplate() {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const park = useRead(configurationCalls.park, {})
  const inherited = useMemo(() => inheritedFrom(park.data && settingsOf(park.data)), [park.data])
  const contract = useContractForm<typeof configurationCalls.addTemplate, TemplateValues>({
    call: configurationCalls.addTemplate,
    also: (values) => contradictionsIn(values, inherited),
    unkept: NOT_IN_DRAFTS,
    draft: 'deviceSettingTemplate.add',
    done: t('template.added'),
    once: true,
    onDone: () => void navigate(path('deviceConfigTemplates')),
  })
  return (
    <Screen title={t('template.add')}>
      <p className={styles.words}>{t('template.words')}</p>
      <DetailPage query={park}>
        {() => (
          <SettingsForm contract={contract} initial={NEW} inherited={inherited} secrets={{ consolePassword: null, wifi: null }}>
            <TemplateFields />
          </SettingsForm>
        )}
      </DetailPage>
    </Screen>
  )
}

function ChangeTemplate({ id }: { id: string }) {
  const { t } = useTranslation('configuration')
  const template = useRead(configurationCalls.template, { params: { id } })
  const park = useRead(configurationCalls.park, {})
  return (
    <Screen title={t('template.title', { name: template.data?.name ?? '' })}>
      <p className={styles.words}>{t('template.words')}</p>
      <DetailPage query={park}>
        {(found) => <DetailPage query={template}>{(one) => <TemplateSettings template={one} park={found} />}</DetailPage>}
      </DetailPage>
    </Screen>
  )
}

function TemplateSettings({ template, park }: { template: SettingTemplate; park: ParkSettings }) {
  const { t } = useTranslation('configuration')
  const navigate = useNavigate()
  const { id, version } = template
  const inherited = useMemo(() => inheritedFrom(settingsOf(park)), [park])
  const initial = useMemo((): TemplateValues => {
    const { name, deviceType: type, model } = template
    return { name, deviceType: type, model, ...valuesOf(template) }
  }, [template])
  const contract = useContractForm<typeof configurationCalls.changeTemplate, TemplateValues>({
    call: configurationCalls.changeTemplate,
    hidden: { id, version },
    also: (values) => contradictionsIn(values, inherited),
    unkept: NOT_IN_DRAFTS,
    draft: `deviceSettingTemplate.${id}`,
    done: t('template.saved'),
    once: true,
    onDone: () => void navigate(path('deviceConfigTemplates')),
  })
  return (
    <SettingsForm contract={contract} initial={initial} inherited={inherited} secrets={sourcesOf(template.secretsSet)}>
      <TemplateFields />
    </SettingsForm>
  )
}

/** Name, type and model of a template. The models on offer depend on the type. */
function TemplateFields() {
  const { t } = useTranslation('configuration')
  const label = useEnumLabel()
  const form = Form.useFormInstance<TemplateValues>()
  const type = Form.useWatch('deviceType', form)
  const models: readonly number[] = modelsOfType[type ?? 0] ?? deviceModel.values
  return (
    <section className={styles.section} aria-labelledby="section-template">
      <header>
        <h2 id="section-template">{t('template.section')}</h2>
        <p>{t('template.fits')}</p>
      </header>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('template.name')} required className={styles.wide ?? ''}>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="deviceType" label={t('type')} required>
          <Select
            options={deviceType.values
              .filter((value) => isTypeBuilt(value) || value === type)
              .map((value) => ({ value, label: label(deviceType, value) }))}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(chosen: number) => form.setFieldValue('model', modelsOfType[chosen]?.[0] ?? deviceModel.standard)}
          />
        </Form.Item>
        <Form.Item name="model" label={t('model')} required>
          <Select options={models.map((value) => ({ value, label: label(deviceModel, value) }))} />
        </Form.Item>
      </div>
    </section>
  )
}
