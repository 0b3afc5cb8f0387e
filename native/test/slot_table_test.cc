#include "slot_table.h"

#include <memory>

#include "harness.h"
#include "pool_state.h"

using celeborn::Handle;
using celeborn::Slot;
using celeborn::SlotTable;

TEST(AFreedPlaceIsUsedAgainUnderTheNextGeneration) {
  auto table = std::make_unique<SlotTable>();
  Slot* slot = table->New();
  const Handle first{slot->index, slot->generation};
  CHECK(table->Find(first) == slot);
  SlotTable::Retire(slot);
  CHECK(table->Find(first) == nullptr);
  table->Free(slot);
  Slot* again = table->New();
  CHECK(again == slot);
  CHECK_EQ(again->generation, first.generation + 1);
}

TEST(APlaceWhoseGenerationsAreUsedUpIsRetired) {
  auto table = std::make_unique<SlotTable>();
  Slot* slot = table->New();
  slot->generation = UINT32_MAX;
  const Handle last{slot->index, UINT32_MAX};
  CHECK(table->Find(last) == slot);
  SlotTable::Retire(slot);
  table->Free(slot);
  CHECK(table->Find(last) == nullptr);
  CHECK(table->Find({slot->index, 0}) == nullptr);
  CHECK(table->New() != slot);
}
