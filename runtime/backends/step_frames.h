#ifndef LOCKSTEP_RUNTIME_BACKENDS_STEP_FRAMES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_STEP_FRAMES_H_

#include <vector>

namespace lockstep::internal {

// The loops and branches that the steps of a schedule are in, collected by a
// walk: a tree of frames, of which 0 is the whole program.
class StepFrames {
 public:
  // The frame that the walk is in.
  int current() const { return current_; }
  // The condition and the body of a loop are one frame; each branch of a
  // conditional, that `conditional` stands for, is one.
  void EnterLoop() { Enter({current_, Depth(), true, 0, 0}); }
  void EnterBranch(int conditional, int branch) {
    Enter({current_, Depth(), false, conditional, branch});
  }
  void Leave() { current_ = frames_[current_].parent; }

  // The innermost loop around a frame, itself included; 0: none.
  int LoopOf(int frame) const;

  // How steps of two frames follow each other while one round of the innermost
  // loop around both runs.
  struct Relation {
    int loop = 0;               // that loop
    bool is_exclusive = false;  // only one of them is run
  };
  Relation Between(int a, int b) const;

 private:
  struct Frame {
    int parent = 0;
    int depth = 0;
    bool is_loop = false;
    int conditional = 0;
    int branch = 0;
  };

  int Depth() const { return frames_[current_].depth + 1; }
  void Enter(const Frame& frame) {
    frames_.push_back(frame);
    current_ = static_cast<int>(frames_.size()) - 1;
  }

  std::vector<Frame> frames_ = {Frame()};
  int current_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_STEP_FRAMES_H_
