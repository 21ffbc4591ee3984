/** Software bill of materials (SBOM) for the packages that really ship, used by vulnerability scanners. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseLicence from 'spdx-expression-parse'

type Manifest = Contrib.FromNodePackageJson.Types.NodePackageJson

const referenceFactory = new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory()
const licenceFactory = new Contrib.License.Factories.LicenseFactory(parseLicence)
const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(referenceFactory, licenceFactory)

/** @throws if a package has no name or version */
const readComponent = (directory: string, type: Enums.ComponentType): Models.Component => {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
  const component = builder.makeComponent(manifest, type)
  if (component?.version === undefined) throw new Error(`${directory} has no name or version: it must not be shipped.`)
  const name =
    component.group === undefined ? component.name : `%40${component.group.replace(/^@/, '')}/${component.name}`
  component.purl = `pkg:npm/${name}@${component.version}`
  component.bomRef.value = component.purl
  return component
}

/**
 * Describes the app as CycloneDX 1.6. Reproducible: no timestamp and no serial number.
 * @param app folder of the app's own package
 * @param electron folder of the electron package, the shipped runtime
 * @param directories folders of the packages bundled in the app
 */
export const describeMaterials = (app: string, electron: string, directories: Iterable<string>): string => {
  const parts = [...new Set(directories)].map((directory) => readComponent(directory, Enums.ComponentType.Library))
  const bom = new Models.Bom()
  const whole = readComponent(app, Enums.ComponentType.Application)
  bom.metadata.component = whole
  for (const part of [readComponent(electron, Enums.ComponentType.Framework), ...parts]) {
    const isKnown = [...bom.components].some(({ bomRef }) => bomRef.value === part.bomRef.value)
    if (isKnown) continue
    bom.components.add(part)
    whole.dependencies.add(part.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}
