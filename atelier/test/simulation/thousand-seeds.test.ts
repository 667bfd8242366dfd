// Each subject over many seeds, on all cores.
import { testManySeeds } from '../../../base/test/simulator/subject-tests.ts'

testManySeeds(import.meta.dirname)
