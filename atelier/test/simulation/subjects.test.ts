// Each subject over a few seeds.
import { testSeeds } from '../../../base/test/simulator/subject-tests.ts'

testSeeds(import.meta.dirname)
